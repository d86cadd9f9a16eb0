import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { registerWait, removeExpired } from '../../nodes/SignVerify/registrations/wait';
import { standIn, type StandInAnswer } from '../support/standIn';

const hour = 3_600_000;
const execute = {
	getInstanceId: () => 'instance',
	getWorkflow: () => ({ name: 'Contracts' }),
	getSignedResumeUrl: (parameters: Record<string, string> = {}) => {
		const query = new URLSearchParams(parameters).toString();
		return `https://n8n.example/webhook-waiting/1/node?${query}`;
	},
} as unknown as IExecuteFunctions;

/** An account with a webhook of a wait that ended two days ago. Its list comes when it is told to. */
async function account(userId: string) {
	const log: string[] = [];
	let webhooks: IDataObject[] = [];
	let answerList = () => {};
	const { context } = standIn(
		async ({ options: { method = 'GET', qs = {} } }): Promise<StandInAnswer> => {
			log.push(method);
			if (method === 'POST') {
				webhooks.push({ webHookID: 'a', type: qs.type, webHookUrl: qs.url });
				return { body: { success: true, responseData: webhooks[0] } };
			}
			if (method === 'DELETE') {
				webhooks = [];
				return {};
			}
			await new Promise<void>((resolve) => (answerList = resolve));
			return { body: { success: true, responseData: webhooks } };
		},
		{ userId },
	);
	const service = new ServiceClient(context);
	const until = new Date(Date.now() - 48 * hour);
	await registerWait(execute, service, 'completedDocument', until);
	log.length = 0;
	return {
		log,
		remove: async () => await removeExpired(execute, service),
		answerList: () => answerList(),
	};
}

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

test('many waits that start at once remove expired webhooks once', async () => {
	const one = await account('one');
	const removals = [one.remove(), one.remove(), one.remove()];
	await turn();
	one.answerList();
	await Promise.all(removals);
	expect(one.log).toEqual(['GET', 'DELETE']);
	// It is over, so the next wait that starts looks again.
	const next = one.remove();
	await turn();
	one.answerList();
	await next;
	expect(one.log).toEqual(['GET', 'DELETE', 'GET']);
});

test('as long as the list of one account does not come, those of another are removed', async () => {
	const [slow, other] = [await account('slow'), await account('other')];
	const removal = slow.remove();
	await turn();
	const others = other.remove();
	await turn();
	other.answerList();
	await others;
	expect(slow.log).toEqual(['GET']);
	expect(other.log).toEqual(['GET', 'DELETE']);
	slow.answerList();
	await removal;
	expect(slow.log).toEqual(['GET', 'DELETE']);
});
