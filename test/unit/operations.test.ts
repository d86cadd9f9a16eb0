import {
	operations,
	properties,
	resources,
	toolProperties,
} from '../../nodes/SignVerify/operations';

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

test('what waits is not offered to AI agents', () => {
	const offered = JSON.stringify(toolProperties);
	expect(offered).not.toContain('sendAndWait');
	expect(offered).toContain('createFromTemplate');
});
