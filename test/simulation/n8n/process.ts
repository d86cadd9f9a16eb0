import {
	type IAdditionalCredentialOptions,
	type IDataObject,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INode,
	type JsonObject,
	NodeApiError,
} from 'n8n-workflow';

import { aliveAfter, type Caller, type Network } from '../network';
import type { NodeCode } from '../nodeCode';
import type { World } from '../world';
import { owners } from '../service/contract';
import { stored, type Database } from './database';
import type { Response } from './incoming';

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** One process of n8n, with the node's code in a memory of its own. */
export class Process {
	isAlive = true;

	/** Resolves when it is killed. */
	readonly death: Promise<void>;

	private die: () => void = () => undefined;

	/** Executions that run here; their cancel signals. */
	readonly running = new Map<string, AbortController>();

	/** Requests that it has not answered yet. */
	readonly responses = new Set<Response>();

	constructor(
		readonly name: string,
		readonly instance: string,
		readonly code: NodeCode,
		readonly world: World,
		readonly network: Network,
		readonly database: Database,
	) {
		this.death = new Promise((resolve) => (this.die = resolve));
	}

	/** Ends it in the middle of whatever it does: whoever waits for its answer sees it break off. */
	kill(): void {
		this.isAlive = false;
		for (const response of this.responses) response.close();
		this.die();
	}

	/** Who calls, for something that this process does. */
	caller(role: Caller['role'], about: { execution?: string; trigger?: string }): Caller {
		const what = about.execution ? `execution ${about.execution}` : `trigger ${about.trigger}`;
		const name = `${this.name} ${role === 'event' ? 'event for ' : ''}${what}`;
		const isAlive = () => this.isAlive;
		const { executions, triggers } = this.database;
		const account =
			executions.get(about.execution ?? '')?.workflow.account ??
			triggers.get(about.trigger ?? '')?.account ??
			0;
		return { name, instance: this.instance, process: this.name, role, ...about, account, isAlive };
	}

	/** Reads or writes the database: others may do so before. */
	async withDatabase<Value>(caller: Caller, what: string, work: () => Value): Promise<Value> {
		const done = this.world.step(`${caller.name}: ${what}`).then(() => {
			if (!this.isAlive) return undefined as Value;
			return work();
		});
		return await aliveAfter(caller, done);
	}

	/** n8n's helpers that reach the network. */
	helpers(caller: Caller, node: INode) {
		return {
			httpRequest: async (options: IHttpRequestOptions) =>
				await this.network.request(caller, options),
			httpRequestWithAuthentication: async (
				_type: string,
				options: IHttpRequestOptions,
				additional?: IAdditionalCredentialOptions,
			) => await this.authenticated(caller, node, options, additional),
			prepareBinaryData: async (content: Buffer, fileName: string) =>
				await Promise.resolve({ data: content.toString(), fileName }),
		};
	}

	/**
	 * A fresh copy, as n8n decrypts it anew.
	 * @param item What its expressions are evaluated for.
	 */
	async readCredential(
		caller: Caller,
		item?: IDataObject,
	): Promise<ICredentialDataDecryptedObject> {
		return await this.withDatabase(caller, 'reads the credential', () => {
			const whole = { ...this.database.credentials[caller.account] };
			if (caller.account === 'byItem') {
				Object.assign(whole, { userId: '', apiKey: '' });
				Object.assign(
					whole,
					owners.find(({ userId }) => userId === item?.account),
				);
			}
			return whole as ICredentialDataDecryptedObject;
		});
	}

	/** As n8n 2.41 does it: a token first where there is none, and once more after HTTP 401. */
	private async authenticated(
		caller: Caller,
		node: INode,
		options: IHttpRequestOptions,
		additional?: IAdditionalCredentialOptions,
	): Promise<unknown> {
		const given = additional?.credentialsDecrypted?.data;
		const credential = given ?? (await this.readCredential(caller));
		try {
			if (textOf(credential.accessToken) === '') await this.renew(caller, credential);
			return await this.send(caller, credential, options);
		} catch (error) {
			const { response } = error as { response?: { status?: number } };
			if (response?.status !== 401) throw new NodeApiError(node, error as JsonObject);
			try {
				await this.renew(caller, credential);
				return await this.send(caller, credential, options);
			} catch (second) {
				throw new NodeApiError(node, second as JsonObject);
			}
		}
	}

	private async renew(caller: Caller, credential: ICredentialDataDecryptedObject): Promise<void> {
		const { preAuthentication } = this.code.credential;
		if (!preAuthentication) throw new Error('The credential has no preAuthentication');
		const helpers = {
			httpRequest: async (options: IHttpRequestOptions) =>
				await this.network.request(caller, options),
		};
		const output = await preAuthentication.call({ helpers }, credential);
		await this.withDatabase(caller, 'keeps the token', () =>
			Object.assign(this.database.credentials[caller.account] ?? {}, output),
		);
		Object.assign(credential, output);
	}

	private async send(
		caller: Caller,
		credential: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<unknown> {
		const { authenticate } = this.code.credential;
		if (typeof authenticate !== 'function') throw new Error('authenticate is a function here');
		// n8n hands over the options themselves: who changes them later changes what is sent.
		const request = await authenticate(credential, Object.assign({}, options));
		return await this.network.request(caller, {
			...request,
			abortSignal: options.abortSignal ?? request.abortSignal,
		});
	}

	/**
	 * n8n's de-duplication store: a list for each node id, read, changed and written back without a
	 * lock; only of two that make a list one fails. The id is read before anything is waited for.
	 */
	processedHelpers(caller: Caller, node: { id: string }) {
		const { processed } = this.database;
		const read = async (id: string) => {
			const list = await this.withDatabase(caller, 'reads its keys', () => processed.get(id));
			return list && stored(list);
		};
		return {
			checkProcessedAndRecord: async (
				entries: string[],
				_scope: string,
				{ maxEntries = Infinity }: { maxEntries?: number },
			) => {
				const { id } = node;
				const list = await read(id);
				const fresh = entries.filter((entry) => !list?.includes(entry));
				await this.withDatabase(caller, 'writes its keys', () => {
					if (!list && processed.has(id)) throw new Error('duplicate key value');
					processed.set(id, [...(list ?? []), ...fresh].slice(-maxEntries));
				});
				return { new: fresh, processed: entries.filter((entry) => list?.includes(entry)) };
			},
			getProcessedDataCount: async () => (await read(node.id))?.length ?? 0,
			clearAllProcessedItems: async () => {
				const { id } = node;
				await this.withDatabase(caller, 'forgets its keys', () => void processed.delete(id));
			},
		};
	}
}
