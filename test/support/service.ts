import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { type CredentialKeeper, keeperOf } from './credentials';

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

/** The sandbox's employment contract, and how the tests fill it in. */
export const contract = '65f1c0de0000000000000201';
export const fields = { employee_name: 'Ada Lovelace', role: 'Analyst', start_date: '2027-01-11' };
export const ada = { email: 'ada@example.com', name: 'Ada Lovelace' };

/** The form of document / createFromTemplate, version 2, filled in right. */
export const v2 = {
	resource: 'document',
	operation: 'createFromTemplate',
	templateId: byId(contract),
	fields: mapped(fields),
	signatoriesFrom: 'form',
	signatories: { signatory: [ada] },
	country: { __rl: true, mode: 'name', value: 'Mexico' },
};

/** The first template of a sandbox that so many people sign, in version 2. */
export function templateFor(people: number, { templates }: Pick<Sandbox, 'templates'>) {
	const found = templates().find(({ slots }) => slots.length === people);
	if (!found) throw new Error(`The sandbox has no template that ${people} people sign.`);
	return found;
}

/** Somebody for each place to sign. */
export const peopleFor = ({ slots }: { slots: unknown[] }) =>
	slots.map((_, index) => ({
		email: `person-${index}@example.com`,
		name: `Person number ${index}`,
	}));

/** The form for a version 2 template with a word in each of its fields, but for who signs. */
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
		signatoriesFrom: 'form',
		country: { __rl: true, mode: 'name', value: 'Mexico' },
	};
}

/** A version 1 template of the sandbox, with a value for each of its inputs. */
export function v1Setup({ sandbox }: Service) {
	const template = sandbox.templates().find(({ generation }) => generation === 'v1');
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

/** The creating calls that reached the sandbox. */
export function creationsAt({ sandbox }: Service) {
	return sandbox.requests.filter(({ path }) => path.startsWith('/templates/create'));
}
