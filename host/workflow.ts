import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';

import type { Credential, WorkflowInput } from './apiTypes';

/** A node of a workflow. Its other properties, such as its position, are generated. */
export type Step = Pick<INode, 'name' | 'type' | 'parameters'> &
	Partial<Pick<INode, 'typeVersion' | 'credentials' | 'onError'>>;

/** Parameters of a node that sends to the real people even in the editor. A node without them sends nothing there. */
export const toRealPeople = { inTestRuns: 'realPeople' };

/**
 * Checks that a filled-in node that sends contains a choice of what a test sends. Otherwise, a test or a measurement could
 * succeed although nothing was sent.
 * @throws Error if it doesn't.
 */
function checkSending({ name, type, parameters }: Step): void {
	const { resource = 'document', templateId, email, inTestRuns } = parameters;
	const isOurs = type === 'n8n-nodes-signverify.signVerify';
	const isSender = (resource === 'document' && templateId) || (resource === 'identity' && email);
	if (isOurs && isSender && !inTestRuns)
		throw new Error(
			`"${name}" needs inTestRuns, such as toRealPeople: without it, it sends nothing in the editor.`,
		);
}

/** Returns the node version to use in generated workflows. */
export function versionOf(type: string): number {
	return type.startsWith('n8n-nodes-signverify.') ? 1.1 : 1;
}

/**
 * Creates a workflow that starts with a Manual Trigger and then runs the given nodes one after another.
 * @throws Error if a node that sends lacks a choice of what a test sends.
 */
export function lineOf(name: string, steps: Step[]): WorkflowInput {
	steps.forEach(checkSending);
	const start: Step = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const all = [start, ...steps];
	return {
		name: name.slice(0, 100),
		nodes: all.map((step, index) => ({
			id: randomUUID(),
			typeVersion: versionOf(step.type),
			position: [index * 200, 0],
			...step,
		})),
		connections: Object.fromEntries(
			all.slice(0, -1).map((step, index) => {
				const next = all[index + 1]?.name ?? '';
				return [step.name, { main: [[{ node: next, type: 'main', index: 0 }]] }];
			}),
		),
	};
}

/**
 * Returns a function that creates SignVerify nodes, which use the SignVerify credential that is stored in
 * n8n.
 * @throws Error if n8n does not have this credential.
 */
export async function actionSteps(api: {
	listCredentials(): Promise<Credential[]>;
}): Promise<(name: string, parameters: INodeParameters) => Step> {
	const found = (await api.listCredentials()).find(
		(credential) => credential.type === 'signVerifyApi',
	);
	if (!found) throw new Error("This n8n instance doesn't have a SignVerify credential.");
	const credentials = { signVerifyApi: { id: found.id, name: found.name } };
	return (name, parameters) => ({
		name,
		type: 'n8n-nodes-signverify.signVerify',
		parameters,
		credentials,
	});
}
