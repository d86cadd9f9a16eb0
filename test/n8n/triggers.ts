import { isDeepStrictEqual } from 'node:util';

import type { IDataObject, IHookFunctions, INode, NodeParameterValueType } from 'n8n-workflow';

import { evaluate, readParameter } from '../support/parameters';
import { stored, type TriggerVersion, type TriggerWorkflow } from './database';
import { endpointAddresses, type Installation } from './execute';
import type { Process } from './process';
import type { Caller } from './surroundings';

type Hook = 'checkExists' | 'create' | 'delete';

/**
 * How many times n8n calls the hooks that register and remove webhooks before it gives up (observed in n8n
 * 2.41.1).
 */
const tries = { create: 5, remove: 3 };

/** The parts of a trigger that identify it. */
type TriggerIdentity = Pick<TriggerWorkflow, 'id' | 'nodeId' | 'webhookId'>;

export function triggerForm({ events, files, templates = [] }: TriggerWorkflow): IDataObject {
	return { events, downloadFiles: files, filters: { templates } };
}

/** A trigger's URL, without its secret. */
export function triggerAddress({ url }: Installation, { webhookId }: TriggerIdentity): string {
	return `${url}/webhook/${webhookId}/signverify`;
}

/** The part of the context that a trigger's hooks and its `webhook()` have in common. */
export function triggerContext(
	process: Process,
	installation: Installation,
	workflow: TriggerIdentity,
	form: IDataObject,
	caller: Caller,
) {
	const node: INode = {
		id: workflow.nodeId,
		name: 'SignVerify Trigger',
		type: `n8n-nodes-signverify.${process.code.trigger.description.name}`,
		typeVersion: 1.1,
		position: [0, 0],
		webhookId: workflow.webhookId,
		parameters: form as INode['parameters'],
	};
	const log = (line: string) => installation.logged.push(line);
	return {
		additionalData: endpointAddresses(installation),
		helpers: process.helpers(caller, node),
		getNode: () => node,
		getCredentials: async () => await process.readCredential(caller),
		getInstanceId: () => installation.instanceId,
		getNodeParameter: (name: string, fallback?: unknown) =>
			// The item is empty, because a trigger has no input that an expression could read.
			evaluate(readParameter(form, name, fallback) as NodeParameterValueType, {}),
		getNodeWebhookUrl: (name: string) =>
			name === 'default' ? triggerAddress(installation, workflow) : undefined,
		getWorkflow: () => ({ id: workflow.id, name: 'Contracts', active: true }),
		logger: { debug: () => undefined, warn: log, error: log },
	};
}

async function runHook(
	process: Process,
	installation: Installation,
	workflow: TriggerWorkflow,
	hook: Hook,
	state: TriggerWorkflow['staticData'],
): Promise<boolean> {
	const caller = process.caller('hook', { trigger: workflow.id });
	const context = {
		...triggerContext(process, installation, workflow, triggerForm(workflow), caller),
		// Static data of type "global" is shared by all nodes of the workflow.
		getWorkflowStaticData: (type: string) => (type === 'node' ? state : {}),
		getMode: () => (hook === 'delete' ? 'internal' : 'trigger'),
		getActivationMode: () => 'activate',
	} as unknown as IHookFunctions;
	const hooks = process.code.trigger.webhookMethods?.default;
	return (await hooks?.[hook]?.call(context)) ?? false;
}

/**
 * Publishes a version. If the trigger has changed, n8n first uses the old credential to delete the old
 * trigger, and then creates the new one (`WorkflowPublicationApplier` in n8n 2.41.1).
 * @returns Whether it succeeded.
 */
export async function publish(
	process: Process,
	installation: Installation,
	workflow: TriggerWorkflow,
	version: TriggerVersion,
): Promise<boolean> {
	const { events, account } = workflow;
	const isChanged = !isDeepStrictEqual({ events, account }, version);
	if (!isChanged && workflow.active) return true;
	if (isChanged && workflow.isPublished) await deactivate(process, installation, workflow);
	const caller = process.caller('hook', { trigger: workflow.id });
	await process.withDatabase(caller, 'has another version', () => {
		Object.assign(workflow, version, { isPublished: true });
	});
	return await activate(process, installation, workflow);
}

/**
 * Unpublishes a workflow.
 * @returns Whether the trigger could be deleted. If not, n8n does not try again later.
 */
export async function unpublish(
	process: Process,
	installation: Installation,
	workflow: TriggerWorkflow,
): Promise<boolean> {
	const done = await deactivate(process, installation, workflow);
	const caller = process.caller('hook', { trigger: workflow.id });
	await process.withDatabase(caller, 'has no version', () => (workflow.isPublished = false));
	return done;
}

/** Creates the trigger in up to five attempts with increasing pauses. @returns Whether it succeeded. */
async function activate(
	process: Process,
	installation: Installation,
	workflow: TriggerWorkflow,
): Promise<boolean> {
	const caller = process.caller('hook', { trigger: workflow.id });
	for (let number = 1; number <= tries.create; number++) {
		const state = stored(workflow.staticData);
		const keep = async () =>
			await process.withDatabase(caller, 'keeps its static data', () => {
				workflow.staticData = stored(state);
			});
		try {
			const exists = await runHook(process, installation, workflow, 'checkExists', state);
			if (!exists) await runHook(process, installation, workflow, 'create', state);
			await keep();
			await process.withDatabase(caller, 'is active', () => {
				workflow.active = true;
			});
			return true;
		} catch {
			try {
				await runHook(process, installation, workflow, 'delete', state);
			} catch {
				// n8n ignores the error and tries again.
			}
			await keep();
			if (number < tries.create) await process.clock.sleep(1000 * 2 ** (number - 1));
		}
	}
	workflow.active = false;
	return false;
}

/** Deletes the trigger. n8n gives up after three attempts. @returns Whether it succeeded. */
async function deactivate(
	process: Process,
	installation: Installation,
	workflow: TriggerWorkflow,
): Promise<boolean> {
	const caller = process.caller('hook', { trigger: workflow.id });
	await process.withDatabase(caller, 'is inactive', () => {
		workflow.active = false;
	});
	for (let number = 1; number <= tries.remove; number++) {
		const state = stored(workflow.staticData);
		let done = false;
		try {
			await runHook(process, installation, workflow, 'delete', state);
			done = true;
		} catch {
			await process.clock.sleep(1000);
		}
		await process.withDatabase(caller, 'keeps its static data', () => {
			workflow.staticData = stored(state);
		});
		if (done) return true;
	}
	return false;
}

/**
 * Simulates an execution in which a Code node stores static data. Another trigger of the published workflow
 * has started the execution. When it ends, n8n writes back all of the workflow's static data, including our
 * trigger's data as it was when the execution began (`workflowExecuteAfter` in n8n 2.41.1). A polling trigger
 * does the same with the data from when the workflow was published.
 *
 * @param lasting The duration of the execution (ms).
 */
export async function storeBeside(
	process: Process,
	workflow: TriggerWorkflow,
	lasting: number,
): Promise<void> {
	if (!workflow.active) return;
	const begun = stored(workflow.staticData);
	if (lasting > 0) await process.clock.sleep(lasting);
	// A long wait is stored in the database, so any process can continue the execution. A shorter wait is
	// lost if its process dies.
	if (!process.isAlive && lasting < inDatabase) return;
	await process.clock.step(`another node of ${workflow.id} stores static data`);
	workflow.overwritten ||= JSON.stringify(begun) !== JSON.stringify(workflow.staticData);
	workflow.staticData = begun;
	process.clock.note(`another node of ${workflow.id} has stored static data`);
}

/** Waits shorter than this (ms) are kept only in the memory of their process. */
const inDatabase = 65_000;
