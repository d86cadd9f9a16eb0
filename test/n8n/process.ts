import path from 'node:path';
import type { Readable } from 'node:stream';

import type {
	IAdditionalCredentialOptions,
	IBinaryData,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
} from 'n8n-workflow';

import { type KeptCredential, requestWithAuthentication } from './credential';
import type { Database } from './database';
import type { Response } from './incoming';
import { aliveAfter, type Caller, type Clock, type Http, type NodeCode } from './surroundings';

/** One n8n process, which has loaded its own copy of the nodes' code. */
export class Process {
	isAlive = true;

	/** Resolves when the process is killed. */
	readonly death: Promise<void>;

	private die: () => void = () => undefined;

	/** The executions that are running in this process, with the controllers that cancel them. */
	readonly running = new Map<string, AbortController>();

	/** The responses that this process has not yet sent. */
	readonly responses = new Set<Response>();

	constructor(
		readonly name: string,
		readonly instance: string,
		readonly code: NodeCode,
		readonly clock: Clock,
		readonly network: Http,
		readonly database: Database,
	) {
		this.death = new Promise((resolve) => (this.die = resolve));
	}

	/** Kills the process in the middle of its work. Clients then lose their connections. */
	kill(): void {
		this.isAlive = false;
		for (const response of this.responses) response.close();
		this.die();
	}

	/** The caller that represents this process while it works for an execution or a trigger. */
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

	/**
	 * Reads or writes the database after a pause. During this pause, other processes can use the database.
	 */
	async withDatabase<Value>(caller: Caller, what: string, work: () => Value): Promise<Value> {
		const done = this.clock.step(`${caller.name}: ${what}`).then(() => {
			if (!this.isAlive) return undefined as Value;
			return work();
		});
		return await aliveAfter(caller, done);
	}

	/** n8n's helpers that use the network. */
	helpers(caller: Caller, node: INode) {
		return {
			httpRequest: async (options: IHttpRequestOptions) =>
				await this.network.request(caller, options),
			httpRequestWithAuthentication: async (
				_type: string,
				options: IHttpRequestOptions,
				additional?: IAdditionalCredentialOptions,
			) => await requestWithAuthentication(this.credentialOf(caller), node, options, additional),
			prepareBinaryData,
		};
	}

	/** A caller's credential, in the form that n8n's helper uses. */
	private credentialOf(caller: Caller): KeptCredential {
		return {
			type: this.code.credential,
			read: async () => await this.readCredential(caller),
			keep: async (output) =>
				void (await this.withDatabase(caller, 'keeps the token', () =>
					Object.assign(this.storedFor(caller), output),
				)),
			httpRequest: async (options) => await this.network.request(caller, options),
			isInEngine2:
				this.database.executions.get(caller.execution ?? '')?.workflow.engineType === 'v2',
		};
	}

	/**
	 * Returns a new copy of the credential, because n8n decrypts the credential each time.
	 * @param item The item that the credential's expressions read.
	 */
	async readCredential(
		caller: Caller,
		item?: IDataObject,
	): Promise<ICredentialDataDecryptedObject> {
		return await this.withDatabase(caller, 'reads the credential', () => {
			const whole = { ...this.storedFor(caller) };
			if (caller.account === 'byItem') {
				const owners = Object.values(this.database.credentials);
				const { userId = '', apiKey = '' } =
					owners.find((owner) => item && owner?.userId === item.account) ?? {};
				Object.assign(whole, { userId, apiKey });
			}
			return whole as ICredentialDataDecryptedObject;
		});
	}

	/** This process's helpers for n8n's deduplication store. */
	processedHelpers(caller: Caller, node: { id: string }) {
		const pause = async () => await this.withDatabase(caller, 'its keys', () => undefined);
		return this.database.processed.helpersFor(node, pause);
	}

	/** A caller's stored credential. @throws Error, as in n8n, if there is none. */
	private storedFor({ account }: Caller): IDataObject {
		const credential = this.database.credentials[account];
		if (credential) return credential;
		throw new Error(
			`Credential with ID "${account}" does not exist for type "${this.code.credential.name}".`,
		);
	}
}

/** n8n's helper for binary data. It keeps the content in memory and removes the folder from the file name. */
export async function prepareBinaryData(
	content: Buffer | Readable,
	filePath: string,
	mimeType: string,
): Promise<IBinaryData> {
	const pieces: Buffer[] = [];
	if (Buffer.isBuffer(content)) pieces.push(content);
	else for await (const piece of content as AsyncIterable<Buffer>) pieces.push(piece);
	const data = Buffer.concat(pieces);
	const { base, ext } = path.parse(filePath);
	return {
		data: data.toString('base64'),
		bytes: data.length,
		mimeType,
		fileName: base,
		fileExtension: ext.slice(1),
	};
}
