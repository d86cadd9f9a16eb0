import type * as workflow from 'n8n-workflow';

// Imported first, it makes the pauses between tries short, which have tests of their own. A time-out keeps its
// length.
jest.mock('n8n-workflow', () => {
	const actual = jest.requireActual<typeof workflow>('n8n-workflow');
	const sleep = async (ms: number, signal?: AbortSignal) =>
		await actual.sleep(ms < 5000 ? 1 : ms, signal);
	return { ...actual, sleep };
});
