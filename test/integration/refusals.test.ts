import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { lookUpProblems } from '../../nodes/SignVerify/api/lookUpProblems';
import { receive } from '../n8n/incoming';
import { realClock } from '../n8n/surroundings';
import { N8nOverHttp, type RunSetup } from '../support/contexts';
import { eventsThatEndWait } from '../../nodes/SignVerify/api/events';
import { CredentialKeeper } from '../support/credentials';
import { identityFinished } from '../support/events';
import { DocumentedPart, tableOf } from '../support/documentedPart';
import '../support/newProcess';
import { sampled } from '../support/sample';
import { ada, byId } from '../support/service';
import { standInOrigin } from '../support/standIn';
import { triggerNode } from '../support/triggerNode';
import { sleep, useVirtualTime } from '../support/virtualTime';
import { registrationProblems } from '../../nodes/SignVerify/registrations/registrationProblems';
import { requestId } from '../../nodes/SignVerify/operations/identity/fields';

// These tests check what a rejection proves about the requested object, depending on who sent the rejection.
// They try each call with every combination of source and status.
useVirtualTime();

/**
 * The bodies of rejections, by source. Either the call itself is rejected, or the token exchange that
 * precedes it.
 */
const sources = {
	envelope: (status: number) => ({ success: false, message: 'no', responseCode: status }),
	'web page': () => '<html><head><title>Not here</title></head></html>',
	'message without the envelope': () => ({ message: 'no' }),
	'empty object': () => ({}),
	'empty body': () => '',
	'envelope from the token exchange': (status: number) => ({
		success: false,
		message: 'no',
		responseCode: status,
	}),
	'web page from the token exchange': () => '<html><head><title>Not here</title></head></html>',
};
type Source = keyof typeof sources;
const isExchange = (source: Source) => source.endsWith('from the token exchange');
const statuses = [400, 401, 403, 404, 405, 410, 422, 429, 500, 503];

/** What a rejection means, as worded in docs/dev/behavior.md. */
const meanings = {
	absent: "Doesn't exist",
	unknown: 'Inconclusive',
};
type Meaning = keyof typeof meanings;

/** The calls whose rejection may mean that something does not exist. */
const places = {
	identity: 'Get an identity request or its results',
	webhook: 'Delete a webhook',
	firstList: 'List templates, for the first time',
	laterList: 'List templates, after an earlier success',
};
type Place = keyof typeof places;

interface Decision {
	says: string;
	holds: (source: Source, status: number) => boolean;
	means: Record<Place, Meaning>;
}

const inEnvelope =
	(...of: number[]): Decision['holds'] =>
	(source, status) =>
		source === 'envelope' && of.includes(status);
const byAnybody =
	(...of: number[]): Decision['holds'] =>
	(source, status) =>
		!isExchange(source) && of.includes(status);

const nothingKnown: Record<Place, Meaning> = {
	identity: 'unknown',
	webhook: 'unknown',
	firstList: 'unknown',
	laterList: 'unknown',
};
const allAbsent: Record<Place, Meaning> = {
	identity: 'absent',
	webhook: 'absent',
	firstList: 'absent',
	laterList: 'absent',
};

/** The first decision that matches a response applies. */
const decisions: Decision[] = [
	{
		says: '410 in the envelope',
		holds: inEnvelope(410),
		means: allAbsent,
	},
	{
		says: '404 in the envelope',
		holds: inEnvelope(404),
		means: { ...allAbsent, laterList: 'unknown' },
	},
	{
		says: '400 or 422 in the envelope',
		holds: inEnvelope(400, 422),
		means: { ...nothingKnown, identity: 'absent' },
	},
	{
		says: '410 without the envelope',
		holds: byAnybody(410),
		means: { ...nothingKnown, firstList: 'absent', laterList: 'absent' },
	},
	{
		says: '405 in the envelope; 404 or 405 without the envelope',
		holds: byAnybody(404, 405),
		means: { ...nothingKnown, firstList: 'absent' },
	},
	{
		says: 'Any other status; any status if the token exchange failed',
		holds: () => true,
		means: nothingKnown,
	},
];

function meaningOf(place: Place, source: Source, status: number): Meaning {
	const decision = decisions.find(({ holds }) => holds(source, status));
	return decision?.means[place] ?? 'unknown';
}

const combinations = (Object.keys(sources) as Source[]).flatMap((source) =>
	statuses.map((status): [Source, number] => [source, status]),
);
/** How many of the combinations each call is tested with, unless everything is tested. */
const combinationsInSample = 20;
const combinationsFor = (call: string) => sampled(combinations, combinationsInSample, call);

const lease = { templateID: 'lease', _id: 'lease-id', name: 'Lease' };
const passed = { score: { overall: { value: 98, status: 'OK' } } };
/** Each service gets its own account, because the process caches tokens by account. */
let users = 0;

/** A service that works until `refuse` makes some of its calls fail. */
function service({ older = [{ ...lease, inputs: [] }] }: { older?: unknown[] } = {}) {
	const webhooks = new Map<string, IDataObject>();
	/** `METHOD path` of every call. */
	const calls: string[] = [];
	let isDone = false;
	let trouble: { source: Source; status: number; on: string } | undefined;
	const act = (method: string, path: string, { qs = {}, body }: IHttpRequestOptions): unknown => {
		if (path === '/access/token') return { accessToken: `token-${calls.length}` };
		if (path === '/templates/v2') return [{ ...lease, form: [] }];
		if (path === '/templates') return { templates: older };
		if (path.startsWith('/identity/validation'))
			return { status: isDone ? 'COMPLETED' : 'CREATED' };
		if (path.startsWith('/identity/session')) return isDone ? { results: passed } : {};
		if (path.startsWith('/templates/create')) return { documentID: 'd' };
		if (method === 'GET') return [...webhooks.values()];
		if (method === 'DELETE') return webhooks.delete(String(qs.webHookID));
		const sent = typeof body === 'string' ? (JSON.parse(body) as IDataObject) : qs;
		const webHookID = `w${webhooks.size}`;
		webhooks.set(webHookID, { webHookID, type: sent.type, webHookUrl: sent.url });
		return { webHookID };
	};
	const fetch = async (options: IHttpRequestOptions) => {
		const { method = 'GET', url } = options;
		const path = new URL(url).pathname.replace('/api', '');
		calls.push(`${method} ${path}`);
		await Promise.resolve();
		const isHit =
			trouble &&
			(isExchange(trouble.source)
				? path === '/access/token'
				: `${method} ${path}$`.startsWith(trouble.on));
		if (!trouble || !isHit) {
			const body = { success: true, responseCode: 200, responseData: act(method, path, options) };
			return { statusCode: 200, headers: {}, body };
		}
		const { source, status } = trouble;
		return { statusCode: status, headers: {}, body: sources[source](status) };
	};
	const stored = {
		baseUrl: `${standInOrigin}/api`,
		apiKey: 'key',
		userId: `refused user ${users++}`,
		accessToken: '',
	};
	const keeper = new CredentialKeeper(stored, fetch);
	return {
		keeper,
		fetch,
		calls,
		webhooks,
		/**
		 * Makes the service reject calls whose `METHOD path$` begins with `on`. If the source is the token
		 * exchange, the service rejects that instead.
		 */
		refuse(source: Source, status: number, on: string) {
			trouble = { source, status, on };
			keeper.stored.accessToken = '';
		},
		finish() {
			isDone = true;
		},
		mend() {
			trouble = undefined;
		},
	};
}

/**
 * Runs the action node once.
 * @returns n8n, the execution (which may be waiting), and a function that returns the only output item.
 */
async function run(keeper: CredentialKeeper, setup: RunSetup) {
	const n8n = new N8nOverHttp('https://n8n.example.com', {
		...realClock,
		step: async () => await Promise.resolve(),
	});
	const execution = n8n.start(n8n.workflowOf(keeper, { ...setup, continueOnFail: true }));
	if (!execution) throw new Error('n8n has not begun the execution.');
	await n8n.idle();
	const json = () => execution.data.runs.at(-1)?.success[0]?.json ?? {};
	return { n8n, execution, json };
}

const errorOf = (json: IDataObject) =>
	(json.error ?? {}) as { message: string; httpStatus?: number };

describe.each([
	['get', { validationId: 'v' }],
	['getResults', { validationId: 'v' }],
])('identity/%s', (operation, form) => {
	test.each(combinationsFor(`identity/${operation}`))(
		'interprets a rejection the way the docs describe (%s, HTTP %i)',
		async (source, status) => {
			const { keeper, refuse } = service();
			refuse(source, status, 'GET /identity/');
			const { json } = await run(keeper, {
				parameters: { resource: 'identity', operation, ...form },
			});
			const { message, httpStatus } = errorOf(json());
			const isAbsent = meaningOf('identity', source, status) === 'absent';
			const absence = lookUpProblems.notFound(requestId, 'v', '').problem;
			if (isAbsent) expect(message).toBe(`${absence} (HTTP ${status}: "no")`);
			else expect(message).not.toContain(absence);
			// Workflows base decisions on the status in the error, so the status must be correct.
			const isOfService = source === 'envelope';
			expect(httpStatus).toBe(isAbsent ? 404 : isOfService ? status : undefined);
		},
	);
});

test.each(combinationsFor('webhook/delete'))(
	'webhook/delete interprets a rejection the way the docs describe (%s, HTTP %i)',
	async (source, status) => {
		const { keeper, refuse } = service();
		refuse(source, status, 'DELETE /webhooks');
		const parameters = { resource: 'webhook', operation: 'delete', webhookId: byId('w7') };
		const { json } = await run(keeper, { parameters });
		const { message } = errorOf(json());
		const absence = registrationProblems.notDeleted('w7').problem;
		if (meaningOf('webhook', source, status) === 'absent') expect(message).toContain(absence);
		else expect(message).not.toContain(absence);
	},
);

test.each(combinationsFor('wait'))(
	'a wait stays open if a call is rejected while the node handles an event (%s, HTTP %i)',
	async (source, status) => {
		const { keeper, refuse, mend, finish, webhooks } = service();
		const parameters = {
			resource: 'identity',
			operation: 'sendAndWait',
			validationId: 'v',
		};
		const { n8n, execution, json } = await run(keeper, { parameters });
		expect(execution.status).toBe('waiting');
		finish();
		// The wait registers one webhook for each event that can end it. Their order does not matter.
		const registered = eventsThatEndWait('identity').length;
		const { webHookUrl } =
			[...webhooks.values()].find(({ type }) => type === identityFinished) ?? {};
		const event = { type: identityFinished, validationId: 'v', addedOn: 1 };
		const deliver = async () => {
			const { status } = await receive(n8n, { url: String(webHookUrl), body: event });
			await n8n.idle();
			return status;
		};
		refuse(source, status, 'GET /identity/');
		// The node treats the third "not found" from the service itself as final, so in that case, the test
		// sends only two events before the service recovers.
		const times = meaningOf('identity', source, status) === 'absent' ? 2 : 4;
		for (let time = 0; time < times; time++) expect(await deliver()).toBe(503);
		expect(execution.status).toBe('waiting');
		expect(webhooks.size).toBe(registered);
		mend();
		// After a 429, all calls pause.
		await sleep(60);
		expect(await deliver()).toBe(200);
		expect(json()).toMatchObject({ passed: true, outcome: 'completed' });
	},
);

test.each(combinationsFor('document/send'))(
	'a document is sent with the version 1 call only if a rejection shows that the version 2 list does not exist (%s, HTTP %i)',
	async (source, status) => {
		const send = async (wasRead: boolean) => {
			const { keeper, refuse, calls } = service();
			const parameters = {
				resource: 'document',
				operation: 'send',
				templateId: byId('lease'),
				country: { __rl: true, mode: 'name', value: 'Mexico' },
				specifySignatories: 'oneByOne',
				signatories: { signatory: [ada] },
				fields: { mappingMode: 'defineBelow', value: {} },
			};
			if (wasRead) await run(keeper, { parameters: { resource: 'template', operation: 'getAll' } });
			// Calls share a cached lookup for ten seconds, so wait until it has expired.
			await sleep(11);
			refuse(source, status, 'GET /templates/v2');
			const { json } = await run(keeper, { parameters });
			const created = calls.filter((call) => call.includes('createDocument'));
			return { created, json: json() };
		};
		const older = ['POST /templates/createDocumentByTemplate'];
		const [first, later] = [await send(false), await send(true)];
		const sentBy = (place: Place) => (meaningOf(place, source, status) === 'absent' ? older : []);
		expect([first.created, later.created]).toEqual([sentBy('firstList'), sentBy('laterList')]);
		expect('error' in later.json).toBe(later.created.length === 0);
	},
);

test.each(combinationsFor('trigger'))(
	'a call to remove a webhook is retried after it is rejected, unless the rejection shows that the webhook is already gone (%s, HTTP %i)',
	async (source, status) => {
		const { keeper, fetch, refuse, mend, webhooks } = service();
		const trigger = triggerNode(
			{ events: ['signDocument'] },
			{ credential: keeper.stored, fetch, mode: 'trigger' },
		);
		await trigger.create();
		expect(webhooks.size).toBe(1);
		refuse(source, status, 'DELETE /webhooks');
		await trigger.removeOnly();
		// Wait until all attempts at the first deletion have been made. After a 429, there are more attempts.
		await sleep(status === 429 ? 25 : 15);
		mend();
		await sleep(120);
		const isGone = meaningOf('webhook', source, status) === 'absent';
		expect([...webhooks.keys()]).toEqual(isGone ? ['w0'] : []);
	},
);

test('docs/dev/behavior.md shows the table that explains what a rejection means', async () => {
	const columns = Object.keys(places) as Place[];
	const rows = decisions.map(({ says, means }) => [
		says,
		...columns.map((place) => meanings[means[place]]),
	]);
	const part = new DocumentedPart('docs/dev/behavior.md', 'refusals');
	await part.expectToBe(
		tableOf(['Response', ...columns.map((place) => places[place])], rows),
		'behavior',
	);
});
