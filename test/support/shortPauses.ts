import type * as workflow from 'n8n-workflow';

// Import this file first. It shortens the pauses between attempts, because other tests already cover them. It
// does not shorten timeouts.
jest.mock('n8n-workflow', () => {
	const actual = jest.requireActual<typeof workflow>('n8n-workflow');
	const sleep = async (ms: number, signal?: AbortSignal) =>
		await actual.sleep(ms < 5000 ? 1 : ms, signal);
	return { ...actual, sleep };
});
