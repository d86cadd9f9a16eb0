import type { IExecuteFunctions } from 'n8n-workflow';

import type { WebhookRegistration } from '../interface';
import { listRegistrations } from '../notifications/registrations';
import { removeRegistration } from '../notifications/remove';
import { attempt } from '../transport/attempt';
import type { ServiceClient } from '../transport/client';
import { isObject } from '../transport/envelope';
import { textOf } from '../transport/text';
import { isOwnWait, resumeAddress } from './registration';

/** What a waiting node is asked with, whether it still waits (waiting/resume.ts answers). */
export const question = { signverify: 'still waiting?' };

/** How many registrations one run asks about: with thousands waiting it must not take long. */
const asked = 5;
const answerTime = 5_000;

/**
 * Removes registrations whose executions wait no longer: cancelled, deleted, or out of time while
 * n8n was down. Takes a random few, so that all get their turn. Never throws: it is no part of what
 * the node was asked to do.
 */
export async function removeLeftOvers(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<void> {
	const listed = await attempt(listRegistrations(service));
	if (!listed.ok) return;
	const own = ownWaits(execute, listed.value);
	const few = shuffled(own).slice(0, asked);
	for (const each of await leftOversOf(execute, few)) {
		await attempt(removeRegistration(service, each));
	}
}

/** Those of the registrations that executions of this n8n made and no longer wait with. */
export async function leftOversOf(
	execute: IExecuteFunctions,
	registrations: WebhookRegistration[],
): Promise<WebhookRegistration[]> {
	const own = ownWaits(execute, registrations);
	const left = new Set<WebhookRegistration>();
	const queue = [...own];
	const work = async (): Promise<void> => {
		for (let each = queue.shift(); each; each = queue.shift()) {
			if (await isLeftOver(execute, textOf(each.webHookUrl))) left.add(each);
		}
	};
	await Promise.all(Array.from({ length: asked }, work));
	return own.filter((each) => left.has(each));
}

function ownWaits(
	execute: IExecuteFunctions,
	registrations: WebhookRegistration[],
): WebhookRegistration[] {
	const own = resumeAddress(execute);
	return registrations.filter((each) => isOwnWait(each, own));
}

/**
 * Asks n8n itself, at the registered address. Only what says for certain that nobody waits counts:
 * n8n's page for an execution that is past this node, "finished" (with an error, or cancelled), or
 * that there is no such execution.
 */
async function isLeftOver(execute: IExecuteFunctions, url: string): Promise<boolean> {
	const answer = await attempt(
		execute.helpers.httpRequest({
			method: 'POST',
			url,
			body: question,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: answerTime,
		}) as Promise<{ statusCode: number; body: unknown }>,
	);
	if (!answer.ok) return false;
	const { statusCode, body } = answer.value;
	if (statusCode === 200) return typeof body === 'string' && body.includes('<html');
	const message = isObject(body) ? textOf(body.message) : '';
	if (statusCode === 409) return message.includes('has finished');
	return statusCode === 404 && message.includes('does not exist');
}

function shuffled<Value>(list: Value[]): Value[] {
	return list
		.map((value) => ({ value, place: Math.random() }))
		.sort((left, right) => left.place - right.place)
		.map(({ value }) => value);
}
