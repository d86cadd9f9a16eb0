import type { IDataObject } from 'n8n-workflow';

import {
	idOf,
	maxShownNameLength,
	findableNameOf,
	signaturePlacesOf,
	variablesOf,
} from '../../api/templates';
import type { Template, TemplateVariable } from '../../api/types';
import type { Output } from '../../form/outputChoice';
import { cutText } from '../../util/text';
import { isEmpty, textOf } from '../../util/values';

/** How many fields, roles, or questions of a template a tool outputs, because the model pays for each of them. */
const maxListedParts = 100;

/**
 * Returns the output for a template. Simplified output contains only the values that a user needs to choose
 * the template and fill it in, and the questions that signatories answer before they sign
 * (docs/dev/service.md#template-version-2).
 * @param isForModel Whether the model of an AI agent reads it. Keys and IDs stay whole, because only whole ones work.
 */
export function outputOfTemplate(
	output: Output,
	template: Template,
	isForModel: boolean,
): IDataObject {
	const { templateVersion, ...raw } = template;
	if (output === 'raw') return raw;
	const { name, description, status } = template;
	const listed = (listName: string, entries: IDataObject[]): IDataObject => {
		if (!isForModel) return { [listName]: entries };
		const shown = entries.slice(0, maxListedParts).map((entry) => ({
			...entry,
			label: shortened(textOf(entry.label)),
		}));
		const leftOut = entries.length - shown.length;
		return { [listName]: shown, ...(leftOut > 0 ? { [`${listName}LeftOut`]: leftOut } : {}) };
	};
	return {
		templateId: idOf(template),
		name: isForModel ? findableNameOf(template) : name,
		description: isForModel && description ? shortened(description) : description,
		...(isEmpty(status) ? {} : { status }),
		templateVersion,
		...listed('fields', variablesOf(template).map(described)),
		...listed(
			'roles',
			signaturePlacesOf(template).map(({ id, label }) => ({ key: id, label })),
		),
		...listed('questions', (template.formSignatory ?? []).map(described)),
	};
}

function described({ key, label, isRequired }: TemplateVariable): IDataObject {
	return { key, label, isRequired };
}

function shortened(text: string): string {
	return text.length > maxShownNameLength ? `${cutText(text, maxShownNameLength - 1)}…` : text;
}
