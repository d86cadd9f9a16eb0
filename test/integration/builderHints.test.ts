import type { INodeProperties } from 'n8n-workflow';

import { action, trigger } from '../support/contexts';

// What n8n's AI workflow builder reads of the nodes.
const hinted = [action.description, trigger.description];

test('the hints say what the nodes are for, and which nodes belong together', () => {
	for (const { builderHint } of hinted) {
		expect(builderHint?.searchHint).toMatch(/\w{4}.*\.$/s);
		expect(builderHint?.relatedNodes?.length).toBeGreaterThan(1);
	}
});

test('no hint is where the loader of n8n rejects it', () => {
	const visit = (properties: INodeProperties[]): string[] =>
		properties.flatMap((property) => [
			...(['resource', 'operation', 'mode'].includes(property.name) && property.builderHint
				? [property.name]
				: []),
			...visit(((property.options ?? []) as INodeProperties[]).filter((each) => 'type' in each)),
		]);
	for (const { properties } of hinted) expect(visit(properties)).toEqual([]);
});
