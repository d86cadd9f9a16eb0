import type { IDataObject } from 'n8n-workflow';

import { brokenService, setUpService } from '../support/registrations';
import type { Setting } from '../support/triggerNode';
import { useVirtualTime } from '../support/virtualTime';
import { refusedWords } from '../support/problemWords';
import { filterProblems } from '../../nodes/SignVerify/trigger/templateFilter';

useVirtualTime();

/** The list of version 2, and the list of version 1. A template in both has a different `_id` in each. */
const lists: Record<string, IDataObject[]> = {
	'GET /templates/v2': [
		{ templateID: 'lease', _id: 'b', name: 'Lease' },
		{ templateID: 'b', _id: 'd', name: 'Rent' },
		{ templateID: '', _id: 'sale', name: 'Sale' },
	],
	'GET /templates': [{ templateID: 'lease', _id: 'c', name: 'Lease' }],
};

async function publishWith(
	templates: unknown,
	setting: Setting = {},
	instead: (what: string) => { status: number; body: IDataObject } | undefined = () => undefined,
) {
	const fault = (what: string) => {
		const list = lists[what];
		const listed = list && { body: { success: true, responseData: { templates: list } } };
		return instead(what) ?? listed;
	};
	const { trigger, registered, log, warnings } = setUpService({ fault });
	const form = { filters: { templates } };
	const error = await trigger(['signDocument'], { form, ...setting })
		.create()
		.then(
			() => undefined,
			(reason: unknown) => reason as Error,
		);
	const lines = warnings.map((line) => line.replace('SignVerify Trigger: ', ''));
	return { error, registered: registered(), log, lines };
}

const published = { error: undefined, registered: ['signDocument id-1'], lines: [] };
/** The message about a template, and what to do. */
const lacks = (missing: string, name: string, all: string) => ({
	problem: `Template Names or IDs: ${filterProblems.lacksIds({ missing, template: name, all }).problem}`,
	remedy: filterProblems.lacksIds({ missing, template: name, all }).remedy,
});

describe("When a trigger is published, its filter's templates", () => {
	test.each<[string, unknown]>([
		['come from the list', ['lease,b,c', 'sale']],
		['are copied from the list into an expression', '=lease,b,c; sale'],
		['include a template that shares an ID with another one', ['b,d']],
		['are not selected', []],
	])('are used without a word if they %s', async (_how, templates) => {
		expect(await publishWith(templates)).toMatchObject(published);
	});

	test.each<[string, unknown, string]>([
		['were entered as an ID', ['lease'], 'the IDs "b", "c"'],
		['were entered as an ID after switching to Expression', '=lease', 'the IDs "b", "c"'],
		['were selected while one of the lists was missing', ['lease,b'], 'the ID "c"'],
	])('are refused before anything is registered if they %s', async (_how, templates, missing) => {
		const { error, registered, log } = await publishWith(templates);
		const { problem, remedy } = lacks(missing, 'Lease', 'lease,b,c');
		expect(error).toMatchObject({
			message: `${problem}. ${remedy}`,
			description: remedy,
		});
		expect(registered).toEqual([]);
		expect(log.sort()).toEqual(['GET /templates', 'GET /templates/v2']);
	});

	test('are all named if several of them are refused', async () => {
		const { message } = (await publishWith(['lease', 'd'])).error as Error;
		expect(message).toContain('lease,b,c');
		expect(message).toContain(
			filterProblems.lacksIds({ missing: 'the ID "b"', template: 'Rent', all: '' }).problem,
		);
		expect(message).toContain('enter b,d instead');
	});

	test.each<[string, unknown, Setting]>([
		['an expression returns them', '={{ ["lease"] }}', {}],
		['n8n publishes the workflow again after a restart', ['lease'], { activation: 'init' }],
	])('are used as they are, with a line in the log, if %s', async (_how, templates, setting) => {
		const { problem, remedy } = lacks('the IDs "b", "c"', 'Lease', 'lease,b,c');
		expect(await publishWith(templates, setting)).toMatchObject({
			...published,
			lines: [`${problem}. ${remedy}`],
		});
	});

	test('are used with a line in the log if the account does not have them, for example because they were deleted', async () => {
		expect(await publishWith(['old', 'sale'])).toMatchObject({
			...published,
			lines: [
				'Template Names or IDs: your account has no template with the ID "old". An event about its documents starts the workflow only if it contains exactly this ID.',
			],
		});
	});

	test.each(['GET /templates/v2', 'GET /templates'])(
		'are used with a line in the log if a list cannot be read (%s)',
		async (path) => {
			const instead = (what: string) => (what === path ? brokenService : undefined);
			expect(await publishWith(['old'], {}, instead)).toMatchObject({
				...published,
				lines: [
					`Template Names or IDs: couldn't check whether the filter contains all IDs of its templates: ${refusedWords('failed', 500, 'broken').problem}`,
				],
			});
		},
	);

	test('are used without a word if the account has only one of the two lists', async () => {
		const missing = { status: 404, body: { success: false, responseCode: 404 } };
		const instead = (what: string) => (what === 'GET /templates' ? missing : undefined);
		expect(await publishWith(['lease,b'], {}, instead)).toMatchObject(published);
	});
});
