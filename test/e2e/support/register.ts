import { dataTable } from './dataTable';
import * as own from './exampleRuns';
import type { Adapt, Person } from './exampleRuns';

/** A row of the table that keep-a-register writes, and that other examples read. */
export interface Row {
	id?: number;
	rowId: string;
	documentId: string;
	email?: string | null;
	name?: string | null;
	title?: string | null;
	people?: string | null;
	sentAt?: string | null;
	signed?: boolean | null;
	signedAt?: string | null;
	completedAt?: string | null;
	ip?: string | null;
	documentHash?: string | null;
	reminded?: string | null;
	manager?: string | null;
	managerTold?: string | null;
	createdAt?: string;
}

export const register = async () => await dataTable<Row>(own.stage, 'Register of signatures');

/** Gives the calling file a register, which is empty before each test. */
export function useRegister(): void {
	beforeAll(async () => {
		await own.publish('tell-when-it-fails');
		// n8n creates the register with the first event, so the tests that only read it need one.
		const id = await own.publish('keep-a-register');
		await own.send([person('first')], 'First');
		await own.endedExecutions(id, 1);
		await own.stage.n8n.api.unpublish(id);
	});
	beforeEach(async () => {
		await (await register()).clear('documentId');
	});
}

/** Stores an example that runs in New York, whatever the zone of this machine. */
export async function storeInNewYork(file: string, adapt?: Adapt): Promise<string> {
	const id = await own.store(file, adapt);
	const { api } = own.stage.n8n;
	const { settings } = await api.getWorkflow(id);
	await api.updateWorkflow(id, { settings: { ...settings, timezone: 'America/New_York' } });
	return id;
}

export const person = (key: string, name = `Person ${key}`): Person => ({
	name,
	email: `${key}@example.com`,
});

export const dayMs = 86_400_000;
export const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
