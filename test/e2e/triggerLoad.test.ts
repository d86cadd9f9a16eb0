import { readFile } from 'node:fs/promises';

import { DOCUMENT_EVENTS } from '../../sandbox/schemas';
import { isRunning, outputOf } from '../../host/executions';
import { axios } from '../support/http';
import { useStage } from './support/stage';
import { until } from '../support/until';
import {
	allExecutions,
	clearStage,
	createDocument,
	credentialId,
	eventsOf,
	everyExecution,
	loggedIn,
	requestIdentity,
	triggerName,
	triggerWorkflow,
} from './support/trigger';

const identity = 'VERIFICATION_REQUEST_FINISHED';
const stage = useStage('trigger-load');
let credential: string;

beforeAll(async () => {
	await clearStage(stage);
	credential = await credentialId(stage.n8n.api);
});

/** An active workflow, and the address that it registered. */
async function activeWorkflow(parameters: { events: string[]; [name: string]: unknown }) {
	const { api } = stage.n8n;
	const workflow = triggerWorkflow('Load', parameters as never, credential);
	const { id } = await api.createWorkflow(workflow);
	const before = new Set(stage.sandbox.webhooks().map(({ webHookID }) => webHookID));
	await api.activate(id);
	const own = stage.sandbox.webhooks().find(({ webHookID }) => !before.has(webHookID));
	return { id, url: own?.webHookUrl ?? '' };
}

test('each refusal has a status of its own, and starts nothing', async () => {
	const { id, url } = await activeWorkflow({ events: ['signDocument'] });
	const bare = url.split('?')[0] ?? '';
	const body = { type: 'signDocument', Document: { documentID: 'd' }, addedOn: 1 };
	const json = { headers: { 'content-type': 'application/json' } };
	const text = { headers: { 'content-type': 'text/plain' } };
	const answers: Record<string, number> = {};
	const note = async (name: string, answer: Promise<{ status: number }>) => {
		answers[name] = (await answer).status;
	};
	await note('no secret', axios.post(bare, body));
	await note('another secret', axios.post(`${bare}?secret=${'x'.repeat(43)}`, body));
	await note('the secret twice', axios.post(`${url}&secret=x`, body));
	await note('a list', axios.post(url, [body]));
	await note('no body', axios.post(url));
	await note('no JSON', axios.post(url, 'hello', text));
	await note('no JSON, said to be JSON', axios.post(url, Buffer.from('{'), json));
	await note('a form', axios.post(url, 'type=signDocument'));
	const form = new FormData();
	form.append('type', 'signDocument');
	await note('a form of several parts', axios.post(url, form));
	await note('XML', axios.post(url, '<type>x</type>', { headers: { 'content-type': 'text/xml' } }));
	await note('another event', axios.post(url, { ...body, type: 'sendDocument' }));
	await note('an unknown event', axios.post(url, { ...body, type: 'rejectedDocument' }));
	await note('nested deeply', axios.post(url, '['.repeat(5000) + ']'.repeat(5000), text));
	await note('nine MB', axios.post(url, { ...body, note: 'x'.repeat(9 << 20) }));
	await note('seventeen MB', axios.post(url, { ...body, note: 'x'.repeat(17 << 20) }));
	// Over the limit that a service may find, with the secret and without.
	const large = Buffer.alloc(17 << 20, ' ');
	const bytes = { headers: { 'content-type': 'application/octet-stream' } };
	await note('seventeen MB of bytes', axios.post(url, large, bytes));
	await note('seventeen MB of bytes, no secret', axios.post(bare, large, bytes));
	const mixed = { headers: { 'content-type': 'Multipart/Form-Data; boundary=x' } };
	const part =
		'--x\r\nContent-Disposition: form-data; name="type"\r\n\r\nsignDocument\r\n--x--\r\n';
	await note('a form in capitals', axios.post(url, part, mixed));
	await note('a form in capitals, no secret', axios.post(bare, part, mixed));
	const capital = { headers: { 'content-type': 'Application/JSON' } };
	await note('JSON in capitals, no secret', axios.post(bare, JSON.stringify(body), capital));
	const zipped = { headers: { ...bytes.headers, 'content-encoding': 'gzip' } };
	await note('no gzip', axios.post(url, Buffer.from('{'), zipped));
	await note('no gzip, no secret', axios.post(bare, Buffer.from('{'), zipped));
	await note('GET', axios.get(url));
	await note('PUT', axios.put(url, body));
	expect(answers).toEqual({
		'no secret': 401,
		'another secret': 401,
		'the secret twice': 401,
		'a list': 400,
		'no body': 400,
		'no JSON': 400,
		'no JSON, said to be JSON': 422,
		'a form': 400,
		'a form of several parts': 400,
		XML: 400,
		'another event': 422,
		'an unknown event': 422,
		'nested deeply': 413,
		'nine MB': 413,
		// Over n8n's own limit, N8N_PAYLOAD_SIZE_MAX: n8n does not ask the node.
		'seventeen MB': 500,
		'seventeen MB of bytes': 413,
		'seventeen MB of bytes, no secret': 401,
		'a form in capitals': 400,
		'a form in capitals, no secret': 401,
		'JSON in capitals, no secret': 401,
		'no gzip': 400,
		'no gzip, no secret': 401,
		GET: 404,
		PUT: 404,
	});
	expect(await stage.n8n.api.executions({ workflowId: id })).toEqual([]);

	// JSON without saying so is taken.
	expect((await axios.post(url, JSON.stringify(body), text)).status).toBe(200);
	const other = Buffer.from(JSON.stringify({ ...body, addedOn: 2 }));
	expect((await axios.post(url, other, bytes)).status).toBe(200);
	const spelled = JSON.stringify({ ...body, addedOn: 3 });
	expect((await axios.post(url, spelled, capital)).status).toBe(200);
	expect(await allExecutions(stage.n8n.api, id, 3)).toHaveLength(3);
	await stage.n8n.api.deleteWorkflow(id);
});

test('200 genuine events, 20 at a time, are 200 executions', async () => {
	const { id, url } = await activeWorkflow({ events: ['signDocument'] });
	const documents: string[] = [];
	for (let count = 0; count < 200; count++) documents.push(await createDocument(stage.sandbox));
	const start = Date.now();
	const earlier = stage.sandbox.deliveries().length;
	for (let first = 0; first < 200; first += 20) {
		const next = documents.slice(first, first + 20);
		await Promise.all(next.map((each) => stage.sandbox.fire('signDocument', each)));
		await stage.sandbox.idle();
	}
	const seconds = (Date.now() - start) / 1000;
	// The webhook of the test before may still be there: a removal waits ten seconds for a publication.
	const deliveries = stage.sandbox
		.deliveries()
		.slice(earlier)
		.filter((delivery) => delivery.url === url);
	expect(deliveries).toHaveLength(200);
	expect(
		deliveries.every(({ state, attempts }) => state === 'delivered' && attempts.length === 1),
	).toBe(true);

	const client = await loggedIn(stage.n8n.url, stage.owner);
	const executions = await until('the end of all executions', async () => {
		const all = await everyExecution(client, id);
		return all.length >= 200 && !all.some(isRunning) ? all : undefined;
	});
	expect(executions).toHaveLength(200);
	expect(executions.every(({ status }) => status === 'success')).toBe(true);
	const events = await eventsOf(stage.n8n.api, executions);
	expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(200);
	console.log(`200 events in ${seconds.toFixed(1)} s: ${(200 / seconds).toFixed(0)} a second`);
	await stage.n8n.api.deleteWorkflow(id);
});

test('all seven events arrive; files come along; filters hold back', async () => {
	const { api } = stage.n8n;
	const documentID = await createDocument(stage.sandbox);
	const all = await activeWorkflow({
		events: [...DOCUMENT_EVENTS, identity],
		downloadFiles: true,
	});
	const filtered = await activeWorkflow({
		events: ['signDocument'],
		filters: { titleContains: 'no such title' },
	});
	for (const event of DOCUMENT_EVENTS) await stage.sandbox.fire(event, documentID);
	const validationId = await requestIdentity(stage.sandbox);
	await stage.sandbox.fire(identity, validationId);

	const executions = await allExecutions(api, all.id, 7);
	const items = (await Promise.all(executions.map((each) => api.execution(each.id)))).flatMap(
		(each) => outputOf(each, triggerName),
	);
	expect(items.map(({ json }) => json.event).sort()).toEqual([...DOCUMENT_EVENTS, identity].sort());
	const filesOf = (event: string) => {
		const item = items.find(({ json }) => json.event === event);
		return Object.entries(item?.binary ?? {}).map(([name, { fileName, mimeType }]) => [
			name,
			fileName,
			mimeType,
		]);
	};
	for (const event of ['completedDocument', 'sendDocument']) {
		expect(filesOf(event).sort()).toEqual([
			['certificate', expect.stringMatching(/certificate\.pdf$/), 'application/pdf'],
			['document', expect.stringMatching(/\.pdf$/), 'application/pdf'],
			['pscCertificate', expect.stringMatching(/PSC certificate\.pdf$/), 'application/pdf'],
		]);
	}
	expect(filesOf('signDocument')).toEqual([]);
	expect(items.find(({ json }) => json.event === identity)?.json).toMatchObject({ validationId });
	const secret = new URL(all.url).searchParams.get('secret') ?? '';
	expect(JSON.stringify(items)).not.toContain(secret);
	// Of this workflow, and of all those before, whose calls were refused and failed.
	const log = await readFile(stage.n8n.logFile, 'utf8');
	expect(log).toMatch(/webhook/);
	for (const { url } of stage.sandbox.deliveries()) {
		expect(log).not.toContain(new URL(url).searchParams.get('secret') ?? '');
	}

	const { webHookID } =
		stage.sandbox.webhooks().find(({ webHookUrl }) => webHookUrl === filtered.url) ?? {};
	const delivery = stage.sandbox.deliveries().find((each) => each.webHookID === webHookID);
	expect(delivery?.attempts[0]?.status).toBe(200);
	expect(await api.executions({ workflowId: filtered.id })).toEqual([]);
	for (const { id } of [all, filtered]) await api.deleteWorkflow(id);
});
