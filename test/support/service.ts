import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { keeperOf } from './client';
import type { CredentialKeeper } from './credentials';

/** A sandbox for a test file, and a credential for it. */
export interface Service {
	sandbox: Sandbox;
	/** A credential for the sandbox's account, without a token. @param limits Its fields for the speed. */
	credential(limits?: IDataObject): CredentialKeeper;
}

/** Starts a sandbox before the tests of the calling file, cleans it between them, stops it after. */
export function useService(options: SandboxOptions = {}): Service {
	const service = {} as Service;
	beforeAll(async () => {
		service.sandbox = await startSandbox(options);
		service.credential = (limits) => keeperOf(service.sandbox, limits);
	});
	beforeEach(() => {
		service.sandbox.forgetRequests();
		service.sandbox.faults.clear();
	});
	afterAll(async () => {
		await service.sandbox.close();
	});
	return service;
}

/** The value of a resource locator set by ID. */
export function byId(value: string) {
	return { __rl: true, mode: 'id', value };
}

/** The value of mapped fields, each filled by hand. */
export function mapped(value: Record<string, unknown>) {
	return { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
}

/** Waits for something to fail, and gives the error. */
export async function failureOf(
	work: Promise<unknown>,
): Promise<Error & { description?: string | null }> {
	try {
		await work;
	} catch (error) {
		return error as Error & { description?: string | null };
	}
	throw new Error('It did not fail.');
}
