import type { INodeProperties } from 'n8n-workflow';

/**
 * Fields that show only for one choice of another field, beside what they depend on already.
 * @param field The name of that other field.
 */
export function shownFor(
	field: string,
	choice: string,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map((each) => ({
		...each,
		displayOptions: {
			...each.displayOptions,
			show: { ...each.displayOptions?.show, [field]: [choice] },
		},
	}));
}
