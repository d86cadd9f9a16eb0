import '../support/shortPauses';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { filterProblems } from '../../nodes/SignVerify/trigger/templateFilter';
import { withDefaults } from '../n8n/execute';
import { testedOperations } from '../operations';
import { action, runAction, trigger } from '../support/contexts';
import { severalWrong } from '../support/problemWords';
import { setUpService } from '../support/registrations';
import { ada, creationsAt, failureOf, useService, v1Setup, v2 } from '../support/service';
import { saved, shown } from '../support/savedForms';

// n8n replaces a collection that isn't an object with an empty one before the node runs, so its options and filters
// would be ignored without a word, as if nothing had been chosen.
const service = useService();

/** What assistants, n8n's API and people who edit JSON write instead of an object. */
const others: Array<[string, string | number | boolean | object]> = [
	['an expression', '={{ ({ neverSend: true }) }}'],
	["a model's choice", "={{ $fromAI('options', '', 'json') }}"],
	['JSON text', '{ "neverSend": true }'],
	['a list', [{ neverSend: true }]],
	['a number', 5],
	['true', true],
];

const collectionsOf = (parameters: INodeParameters) => {
	const { resource, operation } = parameters;
	const isShown = ({ displayOptions }: (typeof action.description.properties)[number]) =>
		[displayOptions?.show?.resource].flat().includes(resource as string) &&
		[displayOptions?.show?.operation].flat().includes(operation as string);
	return action.description.properties.filter(
		(field) => field.type === 'collection' && isShown(field),
	);
};

const withCollections = testedOperations.flatMap(({ name, parameters }) =>
	collectionsOf(parameters).map((field) => [name, field, parameters] as const),
);

test('Operations have options and filters', () => {
	const names = withCollections.map(([name, field]) => `${name}: ${field.name}`);
	expect(names.length).toBeGreaterThanOrEqual(7);
	expect(new Set(withCollections.map(([, field]) => field.name))).toEqual(
		new Set(['options', 'filters']),
	);
});

describe.each(withCollections)('%s', (_name, { name, displayName }, form) => {
	test.each(others)('is refused if its collection is %s', async (_what, value) => {
		const parameters = { ...form, [name]: value };
		const { message, description } = await failureOf(
			runAction(service.credential(), { parameters }),
		);
		expect(message).toMatch(new RegExp(`^${displayName}: can't be `));
		expect(description).toContain(valueProblems.notFields('').remedy);
		expect(service.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test.each([[[]], [null], [''], [' '], [{}]])(
		'is not refused if its collection is %j, which has nothing in it',
		async (value) => {
			const parameters = { ...form, [name]: value };
			const run = runAction(service.credential(), { parameters });
			const problem = await run.then(
				() => '',
				({ message }: Error) => message,
			);
			expect(problem).not.toContain("can't be");
		},
	);
});

test.each(['options', 'filters'])(
	'The trigger is not published if its %s are not an object',
	async (name) => {
		for (const [, value] of others) {
			const form = withDefaults(trigger, { [name]: value } as INodeParameters) as IDataObject;
			const { message } = await failureOf(
				setUpService().trigger(['completedDocument'], { form }).create(),
			);
			expect(message).toMatch(/^(?:Options|Filters): can't be /);
		}
	},
);

// If an unknown filter were ignored, the workflow would start for every document.
test.each(['trigger', 'manual'] as const)(
	'The trigger is not published in the mode %s with a filter or a choice that its form does not have',
	async (mode) => {
		const form = withDefaults(trigger, {
			filters: { templates: ['lease'], titleContains: 'Lease' },
			options: { include: ['answers'] },
		}) as IDataObject;
		const { trigger: node, calls } = setUpService();
		const { message } = await failureOf(node(['completedDocument'], { form, mode }).create());
		expect(message).toContain(
			severalWrong(
				['Filters', filterProblems.unknownFilter('titleContains').problem],
				['Include', valueProblems.notAChoice('history, signingLinks').problem],
			),
		);
		expect(calls).toEqual([]);
	},
);

test('Objects stay as n8n shows and saves them', () => {
	const options = { neverSend: true, sendOnceKey: '={{ $json.key }}' };
	const form = { ...v2, options } as unknown as INodeParameters;
	expect(shown(form).options).toEqual(options);
	expect(saved(shown(form)).options).toEqual(options);
});

test("A signature position whose other values aren't saved has the form's defaults", async () => {
	const { parameters } = v1Setup(service);
	const options = { signPositions: { position: [{ email: ada.email }] } };
	await runAction(service.credential(), { parameters: { ...parameters, options } });
	expect(creationsAt(service)[0]?.body).toMatchObject({
		staticSignPositions: [{ page: 1, coordinates: { x: 365, y: 680 }, color: '#1f4fd8' }],
	});
});
