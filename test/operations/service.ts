import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { clientOf, type Client } from '../support/credentials';
import type { Item } from '.';

/**
 * The delays (ms) between attempts to deliver a notification. The first ones are short, because an execution
 * that is still busy is usually ready moments later.
 */
const deliveryBackoffMs = [100, 200, 400, 800, 1600, 3200, 5000];

/** The template that every document is created from. It has one signatory. */
export const templateId = '65f1c0de0000000000000201';

/** A service for one test, and a client that is independent of the node under test. */
export interface Service {
	sandbox: Sandbox;
	client: Client;
}

export async function startService(): Promise<Service> {
	const sandbox = await startSandbox({ deliveryBackoffMs });
	return { sandbox, client: clientOf(sandbox) };
}

/** Sends a document for signature. @returns Its ID. */
export async function sendDocument(
	{ client }: Pick<Service, 'client'>,
	signatories: Array<{ email: string; name: string }>,
	inputs: IDataObject = templateValues,
): Promise<string> {
	const body = { templateID: templateId, country: 'Mexico', inputs, signatories };
	return await client.createDocument(body);
}

export const templateValues = { employee_name: 'Ada', role: 'Analyst', start_date: '2027-01-11' };

/** Requests an identity verification. @returns Its ID. */
export async function requestIdentity(
	{ sandbox, client }: Service,
	email: string,
): Promise<string> {
	await client.requestIdentity(email);
	return identitiesFor(sandbox, email).at(-1) ?? '';
}

/** Registers a URL for an event. @returns The ID of the webhook. */
export async function register(
	{ sandbox, client }: Service,
	type: string,
	url: string,
): Promise<string> {
	await client.registerWebhook(type, url);
	return webhooksAt(sandbox, url).at(-1) ?? '';
}

export function documentsFor(sandbox: Sandbox, email: string): string[] {
	const found = sandbox.documents().filter((document) => isFor(document.signatory, email));
	return found.map(({ documentID }) => documentID);
}

function isFor(signatories: Array<{ emailID: string }>, email: string): boolean {
	return signatories.some(({ emailID }) => emailID === email);
}

export function identitiesFor(sandbox: Sandbox, email: string): string[] {
	const found = sandbox.identityRequests().filter(({ emailId }) => emailId === email);
	return found.map(({ validationId }) => validationId);
}

export function webhooksAt(sandbox: Sandbox, url: string): string[] {
	const found = sandbox.webhooks().filter(({ webHookUrl }) => webHookUrl === url);
	return found.map(({ webHookID }) => webHookID);
}

/**
 * Returns an error message, or undefined if the output's ID is one of the IDs that the service has for the
 * item.
 */
export function problemOfId(id: unknown, ids: string[]): string | undefined {
	const isThere = ids.includes(String(id));
	return isThere
		? undefined
		: `the output says ${String(id)}, the service has ${JSON.stringify(ids)}`;
}

/** Returns an error message, or undefined if both the output and the service report completion. */
export function problemOfCompletion(said: unknown, found: string | undefined): string | undefined {
	const isCompleted = said === 'COMPLETED' && found === 'COMPLETED';
	return isCompleted
		? undefined
		: `the output says ${String(said)}, and the service ${found}: both must be COMPLETED`;
}

/** Signs a document on behalf of every signatory. */
export async function signDocument(sandbox: Sandbox, documentID: string): Promise<void> {
	const document = sandbox.documents().find((one) => one.documentID === documentID);
	for (const { emailID } of document?.signatory ?? []) await sandbox.sign(documentID, emailID);
}

/** An ID that does not exist in the service. */
export const unknownId = '65f1c0de00000000000000ff';

/** The first call that an operation makes if it needs a token. */
export const token = 'POST /access/token';

/** Makes `count` items, numbered from 1. */
export function numbered(count: number, make: (n: number) => IDataObject): Item[] {
	return Array.from({ length: count }, (_, index) => ({ ...make(index + 1), n: index + 1 }));
}

/** Makes `count` items, numbered from 1. Each item is awaited, because making it requires a call. */
export async function numberedWith(
	count: number,
	make: (n: number) => Promise<IDataObject>,
): Promise<Item[]> {
	const items: Item[] = [];
	for (let n = 1; n <= count; n++) items.push({ ...(await make(n)), n });
	return items;
}
