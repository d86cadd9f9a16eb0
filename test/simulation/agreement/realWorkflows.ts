import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Credential, WorkflowInput } from '../../../host/apiTypes';
import type { Fault as SandboxFault } from '../../../sandbox';
import { connect, names, nodeOf, signVerify, type Link } from '../../e2e/composition/workflow';
import type { CallKind, Fault, FaultKind } from '../faults';
import { defaultLimit, itemsOf, parametersOf, type Targets, type WorkflowPlan } from '../workflows';

/**
 * Minutes that stand for any limit in a real n8n: it must not be reached before n8n is ended, also on a busy
 * machine, or n8n is ended while it continues the execution.
 */
const realLimit = 0.6;

const loop = 'Loop Over Items';
const trigger = 'SignVerify Trigger';

/** What the items of a real workflow name, where they name something of which there is none. */
export const noTargets: Targets = {
	documentId: '',
	documentUrl: '',
	validationId: '',
	webHookID: '',
};

/** A workflow with what it takes to run it as n8n does in production, not by hand. */
export interface CallableWorkflow {
	workflow: WorkflowInput;
	/** Of its address, behind `/webhook/`. */
	path: string;
	/** What is sent to it. */
	body: { list: IDataObject[] };
}

/** The workflow of a plan as n8n stores it. */
export function actionWorkflow(
	plan: WorkflowPlan,
	targets: Targets[],
	credential: Credential,
): CallableWorkflow {
	const path = randomUUID();
	const node = signVerify(credential, formOf(plan), plan.settings);
	const call = nodeOf({
		name: 'Call',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path, httpMethod: 'POST' },
		webhookId: path,
	});
	const items = nodeOf({
		name: 'Items',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'body.list' },
	});
	const batches = nodeOf({
		name: loop,
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: plan.batch },
	});
	const looped: Link[] = [
		[items.name, loop],
		[loop, node.name, 1],
		[node.name, loop],
		...(node.onError === 'continueErrorOutput' ? [[node.name, loop, 1] as Link] : []),
	];
	const rest = plan.batch > 0 ? looped : [[items.name, node.name] as Link];
	const workflow = {
		name: 'Model',
		nodes: [call, items, node, ...(plan.batch > 0 ? [batches] : [])],
		connections: connect([[call.name, items.name], ...rest]),
		settings: { executionOrder: 'v1' as const },
	};
	return { workflow, path, body: { list: itemsOf(plan, 'w0', targets) } };
}

/** The form, with a limit that the first wait reaches soon. */
function formOf(plan: WorkflowPlan): INodeParameters {
	const form = parametersOf(plan);
	if (plan.limit === defaultLimit || form.limitWaitTime === undefined) return form;
	// Only the first one is reached in a scenario, as in the model: there it is as long as all others.
	return { ...form, limitWaitTime: `={{ $runIndex === 0 ? ${realLimit} : 60 }}` };
}

/** A workflow that begins with a trigger. */
export function triggerWorkflow(events: string[], { id, name }: Credential): WorkflowInput {
	const node = nodeOf({
		name: trigger,
		type: 'n8n-nodes-signverify.signVerifyTrigger',
		typeVersion: 1.1,
		parameters: { events },
		webhookId: randomUUID(),
		credentials: { signVerifyApi: { id, name } },
	});
	return {
		name: 'Model',
		nodes: [node, nodeOf({ name: names.next, type: 'n8n-nodes-base.noOp' })],
		connections: connect([[trigger, names.next]]),
		settings: { executionOrder: 'v1' },
	};
}

export const triggerName = trigger;

const endpoints: Partial<Record<CallKind, string>> = {
	create: 'POST /templates/createDocumentByTemplateV2',
	request: 'POST /identity/validation/request',
	token: 'POST /access/token',
	templates: 'GET /templates/v2',
	register: 'POST /webhooks',
	list: 'GET /webhooks',
	delete: 'DELETE /webhooks',
};

const refusal = (status: number, message: string) => ({
	answer: { status, body: { responseData: {}, message, success: false, responseCode: status } },
});

const kinds: Partial<Record<FaultKind, Omit<SandboxFault, 'endpoint'>>> = {
	broken: { reset: 'before' },
	lost: { reset: 'after' },
	// Long enough for what a scenario does meanwhile.
	slow: { delayMs: 6000 },
	unavailable: refusal(503, 'Service unavailable'),
	unauthorized: refusal(401, 'Unauthorized'),
	badRequest: refusal(400, 'Some emails are repeated'),
};

/** A fault of the model as the sandbox plays it. @throws Error where it cannot. */
export function sandboxFault({ on, kind, after, times }: Fault): SandboxFault {
	const endpoint = on === 'all' ? '*' : endpoints[on];
	const fault = kinds[kind];
	if (!endpoint || !fault) throw new Error(`The sandbox has no ${kind} for ${on}.`);
	return { endpoint, ...fault, skip: after, ...(times > 0 ? { times } : {}) };
}
