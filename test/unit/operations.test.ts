import { type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { operations, properties, resources } from '../../nodes/SignVerify/operations';
import { employmentContract } from '../../sandbox/documents/templates/employmentContract';

test('no two operations have the same name', () => {
	const names = operations.map(({ resource, value }) => `${resource} ${value}`);
	expect(new Set(names).size).toBe(names.length);
});

test('each resource offers first what it says', () => {
	for (const [resource, { first }] of Object.entries(resources)) {
		expect(operations.some((each) => each.resource === resource && each.value === first)).toBe(
			true,
		);
	}
	const selectors = properties.filter(({ name }) => name === 'operation');
	expect(selectors.map(({ default: chosen }) => chosen)).toEqual(
		selectors.map(({ displayOptions }) => {
			const [resource] = (displayOptions?.show?.resource ?? []) as Array<keyof typeof resources>;
			return resource && resources[resource].first;
		}),
	);
});

test('a field shows for its operation only', () => {
	for (const { name, displayOptions } of properties) {
		if (name === 'resource') continue;
		expect(displayOptions?.show?.resource).toHaveLength(1);
		if (name !== 'operation') expect(displayOptions?.show?.operation).toHaveLength(1);
	}
});

test('the operations are offered in order of importance', () => {
	const selector = properties.find(({ name }) => name === 'operation');
	expect(selector?.options?.map(({ name }) => name)).toEqual([
		'Send for Signature',
		'Send for Signature and Wait',
		'Download',
	]);
});

describe('the form stays small enough to take in at a glance', () => {
	const maxControls = 9;
	const maxOptions = 4;

	/** What a person sees below a field's name: a form that is loaded has an entry for each value. */
	const controlsOf = ({ displayName, type, typeOptions }: INodeProperties): string[] => {
		const { slots, fields } = employmentContract;
		const { resourceMapperMethod, addAllFields } = typeOptions?.resourceMapper ?? {};
		if (type === 'notice') return [];
		if (type !== 'resourceMapper') return [displayName];
		if (resourceMapperMethod === 'getSignatoryRoles') {
			return slots.flatMap(({ label }) => [`${label}: Name`, `${label}: Email`]);
		}
		return fields.filter(({ isRequired }) => isRequired || addAllFields).map(({ label }) => label);
	};

	test(`"Employment contract" has at most ${maxControls} controls in Send for Signature`, () => {
		const chosen = {
			resource: 'document',
			operation: 'createFromTemplate',
			templateId: { __rl: true, mode: 'list', value: employmentContract.templateID },
		};
		const defaults = properties
			.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(chosen.operation))
			.map(({ name, default: value }) => [name, value] as const);
		const values = { ...Object.fromEntries(defaults), ...chosen };
		const shown = properties.filter(
			(field) =>
				field.displayOptions?.show?.operation?.includes(chosen.operation) &&
				field.type !== 'collection' &&
				NodeHelpers.displayParameter(values, field, null, null),
		);
		const controls = shown.flatMap(controlsOf);
		expect(controls).toContain('Employee: Email');
		const remedy = 'make one of these an option, or show it only with what needs it';
		const tooMany = controls.length > maxControls ? [`${remedy}: ${controls.join(', ')}`] : [];
		expect(tooMany).toEqual([]);
	});

	test(`an operation has at most ${maxOptions} options`, () => {
		const tooMany = properties
			.filter(({ name, options = [] }) => name === 'options' && options.length > maxOptions)
			.map(
				({ displayOptions, options = [] }) =>
					`${displayOptions?.show?.operation?.join()}: remove one of ${options.map(({ name }) => name).join(', ')}, or move it to the credential`,
			);
		expect(tooMany).toEqual([]);
	});
});
