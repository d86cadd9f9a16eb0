import { createServer, type AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { runAction } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { httpRequest } from '../support/http';
import { byId, v2 } from '../support/service';
import { newProcess } from '../support/newProcess';
import type { Kind, Outcome, Row } from './matrix';
import { settle } from '../../nodes/SignVerify/util/async';

/** What came of one cell. */
export interface CellResult {
	outcome: Outcome;
	/** How often the call was made. */
	calls: number;
	/** What the error says, all of it. */
	words: string;
	/** The person the document or the request was for; nobody else's cell uses the address. */
	email: string;
	/** The id that the output gave, of what was created. */
	id: string;
	/** What a run said under the same fault in which the second of three items was wrong, and what it sent. */
	besideWrong?: { words: string; calls: number };
}

const endpoints: Record<Kind, string> = {
	token: 'POST /access/token',
	read: 'GET /templates/v2',
	document: 'POST /templates/createDocumentByTemplateV2',
	identity: 'POST /identity/validation/request',
	delete: 'DELETE /webhooks',
};

/** How often the URL was called that was called most. */
function triesOf(urls: string[]): number {
	return Math.max(...urls.map((url) => urls.filter((called) => called === url).length));
}

/** Runs all cells of one kind of call, each on a credential of its own, at a sandbox of their own. */
export class MatrixRun {
	readonly results = new Map<string, CellResult>();

	private constructor(
		private readonly kind: Kind,
		readonly sandbox: Sandbox,
		/** An address where nothing listens. */
		private readonly nowhere: string,
	) {}

	static async start(kind: Kind): Promise<MatrixRun> {
		return new MatrixRun(kind, await startSandbox(), await freeAddress());
	}

	/** Runs the rows one after another: faults are set for the whole sandbox. */
	async run(rows: Row[]): Promise<void> {
		for (const [index, row] of rows.entries()) {
			this.results.set(row.fault, await this.cell(row, `${this.kind}-${index}@example.com`));
		}
	}

	/** How many documents or identity requests the service holds for a person. */
	created(email: string): string[] {
		if (this.kind === 'identity') {
			const requests = this.sandbox.identityRequests();
			return requests
				.filter((request) => request.emailId === email)
				.map((request) => request.validationId);
		}
		return this.sandbox
			.documents()
			.filter((document) => document.signatory.some(({ emailID }) => emailID === email))
			.map((document) => document.documentID);
	}

	/** All of them, whoever they are for. */
	allCreated(): number {
		return this.kind === 'identity'
			? this.sandbox.identityRequests().length
			: this.sandbox.documents().length;
	}

	private async cell(row: Row, email: string): Promise<CellResult> {
		const { sandbox, kind } = this;
		const parameters = await this.parameters(email);
		const endpoint = endpoints[kind];
		newProcess();
		sandbox.forgetRequests();
		const credential = {
			baseUrl: row.provoke ? sandbox.baseUrl : this.nowhere,
			...sandbox.account,
			accessToken: kind === 'token' ? '' : await this.token(),
			...(row.timeout ? { timeoutSeconds: row.timeout } : {}),
		};
		// Where no service is there to count the calls.
		const urls: string[] = [];
		const keeper = new CredentialKeeper(credential, async (options) => {
			urls.push(options.url);
			return await httpRequest(options);
		});
		sandbox.forgetRequests();
		const stop = row.provoke && sandbox.faults.set({ endpoint, ...row.provoke() });
		const besideWrong = row.provoke && (await this.besideWrong(keeper, parameters, endpoint));
		sandbox.forgetRequests();
		const ended = await settle(runAction(keeper, { parameters }));
		stop?.();
		const seen = sandbox.requests.filter(({ method, path }) => `${method} ${path}` === endpoint);
		const calls = row.provoke ? seen.length : triesOf(urls);
		if (ended.ok) {
			const json = ended.value[0]?.json ?? {};
			const id = String(json.documentId ?? json.validationId ?? '');
			return {
				outcome: 'done',
				calls,
				words: '',
				email,
				id,
				...(besideWrong ? { besideWrong } : {}),
			};
		}
		const { message, description } = ended.error as Error & { description?: string };
		const words = `${message} ${description}`;
		const isUnclear = words.includes('it is not certain that');
		const mayExist = words.includes('may have been created');
		const outcome = mayExist ? 'mayExist' : isUnclear ? 'unclear' : 'refused';
		return { outcome, calls, words, email, id: '', ...(besideWrong ? { besideWrong } : {}) };
	}

	/** Runs three items of which the second is wrong, if this kind of call creates something. */
	private async besideWrong(
		keeper: CredentialKeeper,
		parameters: IDataObject,
		endpoint: string,
	): Promise<CellResult['besideWrong']> {
		if (this.kind !== 'document' && this.kind !== 'identity') return undefined;
		const wrong = { email: '', country: '' };
		const setup = { parameters, items: [{}, {}, {}], perItem: [{}, wrong, {}] };
		const ended = await settle(runAction(keeper, setup));
		const seen = this.sandbox.requests.filter(
			({ method, path }) => `${method} ${path}` === endpoint,
		);
		return {
			words: ended.ok ? 'done' : (ended.error as Error).message,
			// What is created meanwhile is from a slow row before: nothing is created without a call.
			calls: seen.length,
		};
	}

	private async token(): Promise<string> {
		const { baseUrl, account } = this.sandbox;
		const keeper = new CredentialKeeper({ baseUrl, ...account });
		await runAction(keeper, { parameters: { resource: 'webhook', operation: 'getAll' } });
		return keeper.token;
	}

	private async parameters(email: string): Promise<Record<string, string | object | boolean>> {
		switch (this.kind) {
			case 'document':
				return { ...v2, signatories: { signatory: [{ email, name: 'Ada Lovelace' }] } };
			case 'identity':
				return { resource: 'identity', operation: 'request', email };
			case 'delete':
				return {
					resource: 'webhook',
					operation: 'delete',
					webhookId: byId(await this.registration()),
				};
			default:
				return { resource: 'template', operation: 'getAll', filters: { generation: 'v2' } };
		}
	}

	private async registration(): Promise<string> {
		const { baseUrl, account } = this.sandbox;
		const webhookUrl = 'http://127.0.0.1:9/';
		const [item] = await runAction(new CredentialKeeper({ baseUrl, ...account }), {
			parameters: { resource: 'webhook', operation: 'create', webhookUrl },
		});
		return String(item?.json.webhookId);
	}
}

/** An address on loopback where nothing listens: it was free a moment ago. */
async function freeAddress(): Promise<string> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return `http://127.0.0.1:${port}/api`;
}
