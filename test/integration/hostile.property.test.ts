import { Readable } from 'node:stream';

import type { TSchema } from '@sinclair/typebox';
import type { IDataObject, IHttpRequestOptions, NodeExecutionHint } from 'n8n-workflow';

import { contract, type EndpointName, endpointNames } from '../../sandbox/contract/endpoints';
import { endpointOf } from '../support/endpoints';
import { clientOf, CredentialKeeper } from '../support/credentials';
import { textsIn } from '../support/errors';
import { httpRequest } from '../support/http';
import { settle } from '../../nodes/SignVerify/util/async';
import {
	itemCount,
	operationNamed,
	resolvedFor,
	type TestedOperation,
	testedOperations,
} from '../operations';
import { action, loadContext, runAction, trigger } from '../support/contexts';
import { byId, useService, v1Setup } from '../support/service';
import { expectLinear } from '../support/growth';
import { sampled } from '../support/sample';
import { useWaitingHost } from '../support/waiting';

/** The path to a string in a response. 0 is the first entry of a list, which represents all entries. */
type Path = Array<string | 0>;

/** Makes a text without any repetition, so it resembles a key. */
function longText(length: number): string {
	return Array.from({ length: length / 8 }, (_, index) => `${index}`.padStart(8, '-')).join('');
}

/** Values that may come from a user or the service instead of the expected text. */
const hostileValues: Record<string, unknown> = {
	expression: '={{ 1+1 }}',
	prototype: '__proto__',
	markup: '<img src=x onerror=1>',
	'1 MB': longText(1_000_000),
	'U+202E': 'a\u202eb',
	NUL: 'a\0b',
	object: { a: 1 },
	list: ['a', 'b'],
	null: null,
};

/** Returns the paths of all strings in an endpoint's successful responses. */
function textsOf(endpoint: EndpointName): Path[] {
	const visit = (schema: TSchema, path: Path): Path[] => {
		const { type, const: constant, anyOf = [], properties = {}, items } = schema;
		if (type === 'string' || typeof constant === 'string') return [path];
		return [
			...(anyOf as TSchema[]).flatMap((option) => visit(option, path)),
			...Object.entries(properties as Record<string, TSchema>).flatMap(([name, inner]) =>
				visit(inner, [...path, name]),
			),
			...(items ? visit(items as TSchema, [...path, 0]) : []),
		];
	};
	const found = contract[endpoint].responses.flatMap((schema) => visit(schema, []));
	return [...new Map(found.map((path) => [path.join('.'), path])).values()];
}

/** Puts a value at a path in a body, and creates any missing objects and lists along the path. */
function put(body: object, path: Path, value: unknown): void {
	let at = body as Record<string | 0, unknown>;
	for (const [index, step] of path.slice(0, -1).entries()) {
		if (typeof at[step] !== 'object' || at[step] === null) {
			at[step] = path[index + 1] === 0 ? [] : {};
		}
		at = at[step] as typeof at;
	}
	at[path.at(-1) ?? ''] = value;
}

/** A call that was made, and the name of its endpoint in the contract. */
interface Sent {
	endpoint: EndpointName | undefined;
	options: IHttpRequestOptions;
}

/** Records a service's responses once, and then replays them without network access. */
class Recording {
	private readonly responses = new Map<EndpointName, unknown[]>();
	private users = 0;

	constructor(private readonly baseUrl: string) {}

	get endpoints(): EndpointName[] {
		return [...this.responses.keys()];
	}

	/** A copy of an endpoint's first response. */
	first(endpoint: EndpointName): object {
		return structuredClone(this.responses.get(endpoint)?.[0]) as object;
	}

	/** A credential whose calls are sent to the service and recorded. */
	recorder(account: { userId: string; apiKey: string }): CredentialKeeper {
		const credential = { baseUrl: this.baseUrl, ...account, parallelRequests: 1 };
		return new CredentialKeeper(credential, async (options) => {
			const endpoint = endpointAt(this.baseUrl, options);
			const all = (endpoint && this.responses.get(endpoint)) ?? [];
			if (endpoint) this.responses.set(endpoint, all);
			const at = all.push(undefined) - 1;
			const response = await httpRequest({ ...options, encoding: 'json' });
			const { body } = response as { body: unknown };
			all[at] = body;
			return { ...(response as object), body: streamOf(body) };
		});
	}

	/**
	 * A credential for a new account. Its calls get the recorded responses.
	 * @param changed A body that replaces the first response of this endpoint. For the token endpoint, it
	 * replaces every response.
	 */
	replay(changed?: { endpoint: EndpointName; body: object }) {
		const sent: Sent[] = [];
		const counts = new Map<unknown, number>();
		const { responseData } = this.first('POST /access/token') as never;
		const { accessToken: token } = responseData as { accessToken: string };
		const respond = async (options: IHttpRequestOptions) => {
			const endpoint = endpointAt(this.baseUrl, options);
			sent.push({ endpoint, options });
			const count = counts.get(endpoint) ?? 0;
			counts.set(endpoint, count + 1);
			const isToken = endpoint === 'POST /access/token';
			const isChanged = changed?.endpoint === endpoint && (isToken || count === 0);
			const isKnown = isToken || options.headers?.token === token;
			const all = (endpoint && this.responses.get(endpoint)) ?? [];
			const body = isChanged ? changed?.body : (all[count] ?? all.at(-1));
			const status = isKnown ? (body ? 200 : 404) : 401;
			const refusal = { success: false, message: `refused ${status}`, responseCode: status };
			return await Promise.resolve({
				statusCode: status,
				headers: {},
				body: streamOf(status === 200 ? body : refusal),
			});
		};
		const userId = `user-${++this.users}`;
		// Items run one at a time, so the first call is for the first item.
		const credential = { baseUrl: this.baseUrl, userId, apiKey: 'the-key', parallelRequests: 1 };
		return { keeper: new CredentialKeeper(credential, respond), sent };
	}
}

function streamOf(body: unknown): Readable {
	return Readable.from([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))]);
}

function endpointAt(
	baseUrl: string,
	{ method = 'GET', url }: IHttpRequestOptions,
): EndpointName | undefined {
	if (!url.startsWith(`${baseUrl}/`)) return undefined;
	return endpointOf(method, url.slice(baseUrl.length).replace(/\?.*$/, ''))?.name;
}

// These tests replace each string in each response in the contract, one at a time, with a value that does
// harm if it is treated as more than data. The sandbox's schemas list the strings. In a list, only the first
// entry is changed, because that is the one that the forms select. test/unit/api.test.ts checks that
// malformed entries in a list do not hide the others.
const service = useService();
const host = useWaitingHost();

/**
 * What a run shows: the entries for the editor or the next node, the errors, and the notices next to a form
 * or an output.
 */
interface Shown {
	entries: unknown[];
	errors: unknown[];
	notices: unknown[];
}

/** An operation or an editor method that calls the service. */
interface Subject {
	/** The filled-in form for each item. */
	forms: IDataObject[];
	isForEditor: boolean;
	run(keeper: CredentialKeeper): Promise<Shown>;
}

async function runOf(tested: TestedOperation, more: IDataObject = {}): Promise<Subject> {
	const { sandbox } = service;
	const items = await tested.prepare({ sandbox, client: clientOf(sandbox) }, itemCount(tested, 2));
	const forms = items.map((item) => ({ ...resolvedFor(item, tested.parameters), ...more }));
	const parameters = { ...tested.parameters, ...more };
	const setup = { parameters, items, perItem: forms, continueOnFail: true };
	return {
		forms,
		isForEditor: false,
		async run(keeper) {
			const hints: NodeExecutionHint[] = [];
			const output = tested.waits
				? (await host.start(keeper, { ...setup, hints })).output
				: await runAction(keeper, { ...setup, hints });
			// `waitUntil` differs between executions.
			const all: IDataObject[] = output.map(({ json }) => ({ ...json, waitUntil: '' }));
			return {
				entries: all.filter(({ error }) => !error),
				errors: all.flatMap(({ error }) => (error ? [error] : [])),
				notices: hints.map(({ message }) => message),
			};
		},
	};
}

const methods = [action, trigger].flatMap((node) =>
	Object.values(node.methods).flatMap((group: object) => Object.entries<unknown>(group as never)),
);

function methodOf(method: unknown, version: string): Subject {
	const templates = service.sandbox.templates();
	const chosen = templates.find((template) => template.version === version);
	const { resource, operation } = operationNamed('document/send').parameters;
	const form = { resource, operation, templateId: byId(chosen?.templateID ?? '') };
	const load = method as () => Promise<unknown>;
	return {
		forms: [form],
		isForEditor: true,
		async run(keeper) {
			const ended = await settle(load.call(loadContext(keeper, form as IDataObject) as never));
			if (!ended.ok) return { entries: [], errors: [ended.error], notices: [] };
			const { results, fields, emptyFieldsNotice } = ended.value as Record<string, unknown[]>;
			const entries = results ?? fields ?? (ended.value as unknown[]);
			return { entries, errors: [], notices: [emptyFieldsNotice] };
		},
	};
}

/**
 * Checks what an execution shows, reports and sends, regardless of what the service returned.
 * @returns The problems.
 */
function problemsOf(
	{ entries, errors, notices }: Shown,
	sent: Sent[],
	{ isForEditor, forms }: Subject,
) {
	const said = errors.map((error) => {
		const { message, context } = error as Error & { context?: { descriptionTemplate?: string } };
		// The node itself adds the line breaks and the final link, so they contain no text from the service.
		return `${message} ${context?.descriptionTemplate ?? ''}`
			.replaceAll('<br>', ' ')
			.replace(
				/ <a href="https:\/\/github\.com\/[\w/.#-]+" target="_blank">More about this error<\/a>$/,
				'',
			);
	});
	const shown = isForEditor ? textsIn(entries) : [];
	const created = sent.filter(({ endpoint }) => endpoint?.includes('/createDocument'));
	const wrong = {
		'n8n would evaluate it': shown.some((text) => text.startsWith('=')),
		'it is no text': shown.some((text) => text.includes('[object')),
		'the words can hold markup': said.some((text) => /[<>\p{Cc}\p{Bidi_Control}]/u.test(text)),
		'a notice contains markup': textsIn(notices).some((text) => /<[a-z/!]/i.test(text)),
		'the words are endless': said.some((text) => text.length > 4000),
		'the error is not ours': said.some((text) => foreign.test(text)),
		'another URL is called': sent.some(({ endpoint }) => !endpoint),
		'it is no header': sent.some(({ options }) =>
			Object.values(options.headers ?? {}).some(
				(header) => !/^[\x20-\x7e]{0,9000}$/.test(String(header)),
			),
		),
		'it is sent twice': created.length > forms.length,
		'a prototype is changed': Object.keys(Object.prototype).length > 0 || 'a' in {},
	};
	return Object.entries(wrong).flatMap(([problem, is]) => (is ? [problem] : []));
}

/** Words that appear only in errors raised by JavaScript itself. */
const foreign = /is not (a function|iterable)|Cannot (read|convert|set)|call stack|\[object/;

const attacked = new Set<EndpointName>();

const maxShown = 10;

/** How many hostile values replace each string, unless everything is tested. */
const valuesInSample = 1;

/**
 * Runs a subject once for every combination of a string in its responses and a hostile value that replaces
 * it, or for a sample of these combinations.
 * @param name Tells the samples of the subjects apart.
 * @returns The problems.
 */
async function attack(
	name: string,
	subject: Subject,
	leftOut: EndpointName[] = [],
): Promise<string[]> {
	const recording = new Recording(service.sandbox.baseUrl);
	await subject.run(recording.recorder(service.sandbox.account));
	if (recording.endpoints.length === 0) return [];
	const unchanged = await subject.run(recording.replay().keeper);
	expect(unchanged).toMatchObject({ entries: expect.anything() as unknown[], errors: [] });

	async function check(endpoint: EndpointName, path: Path, kind: string, isRefusal = false) {
		const place = `${endpoint} ${path.join('.')} = ${kind}`;
		const runWith = (value: unknown) => {
			const changed = isRefusal ? { success: false, responseCode: 400 } : recording.first(endpoint);
			put(changed, path, value);
			return async () => {
				const { keeper, sent } = recording.replay({ endpoint, body: changed });
				return problemsOf(await subject.run(keeper), sent, subject);
			};
		};
		if (kind === '1 MB') {
			await expectLinear(20_000, (length) => runWith(longText(length)), place);
		}
		const problems = await runWith(hostileValues[kind])();
		return problems.map((problem) => `${place}: ${problem}`);
	}

	const wrong: string[] = [];
	for (const endpoint of recording.endpoints.filter((endpoint) => !leftOut.includes(endpoint))) {
		attacked.add(endpoint);
		const kindsFor = (path: Path) =>
			sampled(Object.keys(hostileValues), valuesInSample, `${name} ${endpoint} ${path.join('.')}`);
		for (const path of textsOf(endpoint)) {
			for (const kind of kindsFor(path)) wrong.push(...(await check(endpoint, path, kind)));
		}
		const inRefusal: Path = ['message'];
		for (const kind of kindsFor(inRefusal))
			wrong.push(...(await check(endpoint, inRefusal, kind, true)));
	}
	// Many problems usually have a single cause, so it is enough to show a few of them.
	const more = wrong.length - maxShown;
	return more > 0 ? [...wrong.slice(0, maxShown), `and ${more} more`] : wrong;
}

describe('a hostile value in a response', () => {
	test.each(testedOperations)('is handled safely by $words', async (tested) => {
		// To send, a waiting operation makes the same calls as the operation without a wait, which was tested
		// earlier.
		const leftOut = tested.waits ? [...attacked] : [];
		// With Return All, the output contains every entry of a list.
		const subject = await runOf(tested, { returnAll: true });
		expect(await attack(tested.name, subject, leftOut)).toEqual([]);
	});
	test('is handled safely by Document: Send for Signature with a version 1 template', async () => {
		const tested = operationNamed('document/send');
		const subject = await runOf(tested, v1Setup(service).parameters);
		// The test with version 2 above covers the other endpoints, and both create calls return the same
		// response.
		attacked.add('POST /templates/createDocumentByTemplate');
		const leftOut = [...attacked].filter((endpoint) => endpoint !== 'GET /templates');
		expect(await attack('version 1', subject, leftOut)).toEqual([]);
	});
	for (const [name, method] of methods) {
		test.each(['v1', 'v2'])(`is handled safely by ${name} with a %s template`, async (version) => {
			expect(await attack(`${name} ${version}`, methodOf(method, version))).toEqual([]);
		});
	}
	test('is tested at every endpoint', () => {
		expect(endpointNames.filter((endpoint) => !attacked.has(endpoint))).toEqual([]);
	});
});
