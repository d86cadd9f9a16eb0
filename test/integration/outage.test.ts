import { maxTries, retryAllowance } from '../../nodes/SignVerify/http/retry';
import { runAction, type RunSetup } from '../support/contexts';
import { Stub, type Answer } from '../support/stub';

/** Items of a run, and what the documentation allows above one call for each in an outage. */
const count = 200;
const allowance = retryAllowance();
const tries = maxTries.read.always;

let stub: Stub;
beforeEach(async () => {
	stub = await new Stub().start();
});
afterEach(async () => await stub.close());

const results = { resource: 'identity', operation: 'getResults', sessionId: 's' };
const download = () => ({
	resource: 'document',
	operation: 'download',
	documentUrl: `${stub.url}/x.pdf`,
});

/** Runs an operation over so many items, all of which fail; gives the words of each. */
async function failAll(parameters: RunSetup['parameters']): Promise<string[]> {
	const output = await runAction(stub.credential(), {
		parameters,
		items: Array.from({ length: count }, () => ({})),
		continueOnFail: true,
	});
	const failed = output.filter(({ json }) => json.error);
	expect(failed).toHaveLength(count);
	return failed.map(({ json }) => JSON.stringify(json));
}

const callsTo = (path: string) => stub.calls.filter((call) => call.includes(path)).length;
const unavailable: Answer = (response) => response.writeHead(503).end();
const broken: Answer = (response) => response.destroy();

// What a call does with the allowance is in test/unit/retryBudget*.test.ts. Here: all items of a run
// share one.
describe.each([
	['that answers 503', unavailable],
	['that breaks every connection', broken],
])('a service %s', (_name, answer) => {
	beforeEach(() => (stub.answer = answer));

	test.each([
		['Document: Download', download, '/x.pdf'],
		['Identity: Get Results', () => results, '/identity/session/results'],
	])(`${count} items of %s: one call each and ${allowance} more`, async (_of, parameters, path) => {
		const words = await failAll(parameters());
		expect(callsTo(path)).toBe(count + allowance);
		expect(words.filter((each) => each.includes(`It was tried ${tries} times`))).not.toHaveLength(
			0,
		);
		expect(words.at(-1)).toContain('There was no further retry');
		for (const each of words) expect(each).toMatch(/HTTP 503|closed the connection/);
	});
});
