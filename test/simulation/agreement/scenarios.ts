import type { Fault } from '../faults';
import type { Scenario, Step } from './scenario';

const run: Step = { do: 'run' };
const rest: Step = { do: 'rest' };
const stop: Step = { do: 'stop' };
const limit: Step = { do: 'limit' };
const publish: Step = { do: 'publish' };
const unpublish: Step = { do: 'unpublish' };
const sign = (person: number): Step => ({ do: 'sign', person });
const verify = (person: number): Step => ({ do: 'verify', person });
const signExisting = (target: number): Step => ({ do: 'sign existing', target });
const retry = (withSavedWorkflow: boolean): Step => ({ do: 'retry', withSavedWorkflow });
const post = (what: 'again' | 'forged'): Step => ({ do: 'post', what });
const fault = (on: Fault['on'], kind: Fault['kind'], times = 1, after = 0): Step => ({
	do: 'fault',
	...{ on, kind, times, after },
});
const briefly = (step: Step): Step => ({ ...step, brief: true });

/** The shortest wait that n8n takes. */
const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** On Error, Retry On Fail, Execute Once, Always Output Data, with and without a loop. */
const settings: Scenario[] = [
	{
		name: 'On Error: Stop Workflow, one item is wrong, retried',
		plan: { items: 3, wrongItem: 1 },
		steps: [run, retry(false), retry(true)],
	},
	{
		name: 'On Error: Continue (using error output) and Retry On Fail, the first item fails each time',
		plan: { settings: { onError: 'continueErrorOutput', ...retried } },
		steps: [fault('create', 'badRequest', 4), run],
	},
	{
		name: 'Retry On Fail, the answer for the second item is lost',
		plan: { settings: retried },
		steps: [fault('create', 'lost', 1, 1), run],
	},
	{
		name: 'Loop Over Items, 1 at a time, On Error: Continue (using error output), one item is wrong',
		plan: { items: 3, wrongItem: 1, batch: 1, settings: { onError: 'continueErrorOutput' } },
		steps: [run],
	},
	{
		name: 'Loop Over Items, 2 at a time, On Error: Stop Workflow, the third item fails, retried',
		plan: { items: 4, batch: 2 },
		steps: [fault('create', 'badRequest', 1, 2), run, retry(false)],
	},
	{
		name: 'Always Output Data, nothing is output, with Execute Once and a loop',
		plan: {
			task: 'getWebhooks',
			batch: 1,
			settings: { alwaysOutputData: true, executeOnce: true },
		},
		steps: [run],
	},
	{
		name: 'Send Once Key, run twice, the token is refused once',
		plan: { sendOnce: true },
		steps: [fault('create', 'unauthorized'), run, run],
	},
	{
		name: 'Stopped while it sends, retried',
		steps: [fault('create', 'slow', 1, 1), briefly(run), stop, retry(false)],
	},
];

/** Waits: what ends them, what else comes to their addresses, and what leaves. */
const waits: Scenario[] = [
	{
		name: 'A wait and whoever calls it: a forger, the event of something else, its event twice',
		plan: { task: 'sendAndWait', items: 1 },
		steps: [run, post('forged'), signExisting(0), sign(0), post('again')],
	},
	{
		name: 'More than one item',
		plan: { task: 'sendAndWait', settings: { onError: 'continueErrorOutput' } },
		steps: [run],
	},
	{
		name: 'A loop with error output, one item is wrong and the others wait',
		plan: {
			task: 'requestAndWait',
			...{ items: 3, wrongItem: 1, batch: 1 },
			settings: { onError: 'continueErrorOutput' },
		},
		steps: [run, verify(0), verify(2)],
	},
	{
		name: 'A loop sends slowly when the event of its wait before comes again',
		plan: { task: 'sendAndWait', batch: 1 },
		steps: [run, fault('create', 'slow'), briefly(sign(0)), briefly(post('again')), rest, sign(1)],
	},
	{
		name: 'A wait with Execute Once and Always Output Data, existing documents',
		plan: {
			task: 'waitForDocument',
			settings: { executeOnce: true, alwaysOutputData: true },
		},
		steps: [run, signExisting(0)],
	},
	{
		name: 'Registering a wait fails, On Error: Continue, Retry On Fail',
		plan: {
			...{ task: 'sendAndWait', items: 1 },
			settings: { onError: 'continueRegularOutput', ...retried },
		},
		steps: [fault('register', 'badRequest', 4), run],
	},
	{
		name: 'The limit of a wait with Execute Once and Always Output Data',
		plan: {
			...{ task: 'requestAndWait', limit: 10 },
			settings: { executeOnce: true, alwaysOutputData: true },
		},
		steps: [run, limit],
	},
	{
		name: 'The limit of a wait in a loop, error output; the next one ends by its event',
		plan: {
			...{ task: 'sendAndWait', limit: 10, batch: 1 },
			settings: { onError: 'continueErrorOutput', ...retried },
		},
		steps: [run, limit, sign(1)],
	},
	{
		name: 'Stopped while it waits, retried with the saved workflow',
		plan: { task: 'requestAndWait', items: 1 },
		steps: [run, stop, verify(0), retry(true)],
	},
	{
		name: 'Stopped while the second round of a loop waits, retried with the original workflow',
		plan: { task: 'sendAndWait', items: 3, batch: 1 },
		steps: [run, sign(0), stop, retry(false), sign(2)],
	},
];

const triggers: Scenario[] = [
	{
		name: 'A trigger: an event, the same again, a forged one, another, and one after its end',
		trigger: ['completedDocument', 'signDocument', 'VERIFICATION_REQUEST_FINISHED'],
		steps: [
			...[publish, signExisting(0), post('again'), post('forged'), signExisting(1)],
			...[{ do: 'verify existing', target: 0 } as Step, unpublish, post('again'), publish],
			...[signExisting(2), unpublish],
		],
	},
	{
		name: 'A trigger whose registration fails at first, and later its deletion',
		trigger: ['completedDocument', 'signDocument'],
		steps: [
			...[fault('register', 'badRequest', 2, 1), publish, signExisting(0)],
			...[fault('delete', 'unavailable', 40), unpublish],
		],
	},
];

/** What the model of n8n and a real n8n must agree on. */
export const scenarios: Scenario[] = [...waits, ...settings, ...triggers];
