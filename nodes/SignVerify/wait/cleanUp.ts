import type { IExecuteFunctions } from 'n8n-workflow';

import type { WebhookRegistration } from '../api/types';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { attempt } from '../util/async';
import { isObject, objectOf, remember, textOf } from '../util/values';
import { executionOf, isOfThisInstance, resumeAddress } from './registration';

/** Asks a waiting node whether it still waits (onEvent.ts answers). */
export const question = { signverify: 'still waiting?' };

/** Whether a waiting node still waits for the wait in the URL. */
export const answers = { waiting: { signverify: 'waiting' }, over: { signverify: 'over' } };

/** How many registrations one run asks about: with thousands of waits, it must not take long. */
const mostAsked = 5;
const answerTime = 5_000;

/**
 * Registrations that the service did not delete, by their URLs, which are unique. It may never delete one
 * for identity verifications. If a run chose them again, it would leave others that can be removed.
 */
const refused = new Map<string, true>();
const mostRefused = 10_000;

interface Answer {
	statusCode: number;
	body: unknown;
}

/**
 * Removes orphaned registrations: the executions were cancelled or deleted and do not wait any more.
 * Each run chooses a few at random. Never throws, because nobody asked the node to do this.
 * @param wait The wait that the execution is about to begin.
 */
export async function removeOrphans(
	execute: IExecuteFunctions,
	service: ServiceClient,
	wait: string,
): Promise<void> {
	const listed = await attempt(listWebhooks(service));
	if (!listed.ok) return;
	const own = listed.value.filter(
		(each) => isOfThisInstance(each, execute) && !refused.has(textOf(each.webHookUrl)),
	);
	const orphans = await attempt(orphansOf(execute, shuffled(own).slice(0, mostAsked), wait));
	if (!orphans.ok) return;
	for (const each of orphans.value) {
		const removed = await attempt(removeWebhook(service, each));
		const isRefused = removed.ok && removed.value === 'refused';
		if (isRefused) remember(refused, textOf(each.webHookUrl), true, mostRefused);
	}
}

/**
 * Finds the registrations whose executions do not wait any more. Only n8n itself can say so: a page of a
 * proxy or a maintenance page means nothing.
 */
export async function orphansOf(
	execute: IExecuteFunctions,
	registrations: WebhookRegistration[],
	wait = '',
): Promise<WebhookRegistration[]> {
	const own = registrations.filter((each) => isOfThisInstance(each, execute));
	if (own.length === 0 || !(await isAnsweredByN8n(execute, wait))) return [];
	const orphans = new Set<WebhookRegistration>();
	const queue = [...own];
	const work = async (): Promise<void> => {
		for (let each = queue.shift(); each; each = queue.shift()) {
			const url = textOf(each.webHookUrl);
			if (saysOver(await ask(execute, url), executionOf(url))) orphans.add(each);
		}
	};
	await Promise.all(Array.from({ length: mostAsked }, work));
	if (orphans.size === 0 || !(await isAnsweredByN8n(execute, wait))) return [];
	return own.filter((each) => orphans.has(each));
}

/**
 * Whether this n8n answers at its public URL. It is asked about the execution that is running, before and
 * after the others. It answers in JSON (mostly that the execution is running; it does not know one that
 * was started by hand), or the node itself does. Another n8n at this URL does not know the execution, or
 * refuses the signature. For a node that does not wait, n8n always refuses.
 */
async function isAnsweredByN8n(execute: IExecuteFunctions, wait: string): Promise<boolean> {
	const answer = await ask(execute, resumeAddress(execute, wait, ''));
	if (!answer || !isObject(answer.body)) return false;
	return answer.statusCode !== 404 && (answer.statusCode !== 401 || wait === '');
}

/** Whether an answer says that nobody waits at a URL. */
function saysOver(answer: Answer | undefined, execution: string): boolean {
	if (!answer) return false;
	const { statusCode, body } = answer;
	if (statusCode === 200 && typeof body === 'string') {
		// n8n's page for an execution that has ended, or waits elsewhere.
		const isPage = body.slice(0, 2000).includes('<title>No action required</title>');
		return isPage && body.slice(0, 20_000).includes('https://n8n.io/');
	}
	// Our own answer: the node waits again, for something else.
	if (statusCode === 200) return objectOf(body).signverify === answers.over.signverify;
	const message = textOf(objectOf(body).message);
	if (!message.includes(`"${execution}`)) return false;
	if (statusCode === 409) return message.includes('has finished');
	return statusCode === 404 && message.includes('does not exist');
}

async function ask(execute: IExecuteFunctions, url: string): Promise<Answer | undefined> {
	const answer = await attempt(
		execute.helpers.httpRequest({
			method: 'POST',
			url,
			body: question,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: answerTime,
		}) as Promise<Answer>,
	);
	return answer.ok ? answer.value : undefined;
}

function shuffled<Value>(list: Value[]): Value[] {
	return list
		.map((value) => ({ value, place: Math.random() }))
		.sort((left, right) => left.place - right.place)
		.map(({ value }) => value);
}
