import type { IDataObject } from 'n8n-workflow';

import type * as sandboxModule from '../../sandbox';
import type { Sandbox, SandboxOptions } from '../../sandbox';
import { type CredentialKeeper, keeperOf } from './credentials';

/** A sandbox for a test file, with credentials for it. */
export interface Service {
	sandbox: Sandbox;
	/**
	 * Makes a credential for the sandbox's account, without a token.
	 * @param limits Additional fields for the credential, such as its rate limits.
	 */
	credential(limits?: IDataObject): CredentialKeeper;
}

/** Starts a sandbox before the tests of the calling file, resets it between them, and stops it afterward. */
export function useService(options: SandboxOptions = {}): Service {
	const service = {} as Service;
	beforeAll(async () => {
		// Many files use only the values below, and loading the sandbox takes long.
		const { startSandbox } = jest.requireActual<typeof sandboxModule>('../../sandbox');
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

/** Makes the value of a resource locator that is set by ID. */
export function byId(value: string) {
	return { __rl: true, mode: 'id', value };
}

/** Makes the value of a resource mapper whose fields are filled in by hand. */
export function mapped(value: Record<string, unknown>) {
	return { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
}

/** Waits for work that is expected to fail, and returns the error. */
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

/** The ID of the sandbox's employment contract. */
export const contract = '65f1c0de0000000000000201';
export const fields = { employee_name: 'Ada Lovelace', role: 'Analyst', start_date: '2027-01-11' };
export const ada = { email: 'ada@example.com', name: 'Ada Lovelace' };

/** The options of a node that sends what looks like a mistake, with a warning. */
export const despite = { sendDespiteWarnings: true };

/**
 * Valid parameters for document / send with a version 2 template. They send despite warnings, so a test sees each warning
 * in the output. With `options: {}`, the node stops.
 */
export const v2 = {
	resource: 'document',
	operation: 'send',
	templateId: byId(contract),
	fields: mapped(fields),
	specifySignatories: 'oneByOne',
	signatories: { signatory: [ada] },
	country: { __rl: true, mode: 'name', value: 'Mexico' },
	options: despite,
};

/** Finds the first template with this many places to sign. Only version 2 templates have any. */
export function templateFor(people: number, { templates }: Pick<Sandbox, 'templates'>) {
	const found = templates().find(({ signaturePlaces }) => signaturePlaces.length === people);
	if (!found) throw new Error(`The sandbox has no template that ${people} people sign.`);
	return found;
}

/** Makes one person for each place to sign in a template. */
export const peopleFor = ({ signaturePlaces }: { signaturePlaces: unknown[] }) =>
	signaturePlaces.map((_, index) => ({
		email: `person-${index}@example.com`,
		name: `Person number ${index}`,
	}));

/** Fills in the form for a version 2 template. Every field gets a value, but no signatories are added. */
export function filledForm({
	templateID,
	fields: all,
}: {
	templateID: string;
	fields: Array<{ key: string }>;
}) {
	return {
		templateId: byId(templateID),
		fields: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(
				all.map(({ key }) => [key, /date|start/i.test(key) ? '2027-02-01' : 'Ana']),
			),
		},
		specifySignatories: 'oneByOne',
		country: { __rl: true, mode: 'name', value: 'Mexico' },
		options: {},
	};
}

/** Finds a version 1 template and makes a value for each of its inputs. */
export function v1Setup({ sandbox }: Service) {
	const template = sandbox.templates().find(({ version }) => version === 'v1');
	if (!template) throw new Error('The sandbox has no version 1 template.');
	const inputs = Object.fromEntries(
		template.fields.map(({ key, label }) => [
			key,
			/date|start/i.test(label) ? '2027-02-01' : `the ${label}`,
		]),
	);
	const parameters = {
		...v2,
		templateId: byId(template.templateID),
		fields: mapped(inputs),
	};
	return { template, inputs, parameters };
}

/** Returns the create calls that reached the sandbox. */
export function creationsAt({ sandbox }: Service) {
	return sandbox.requests.filter(({ path }) => path.startsWith('/templates/create'));
}
