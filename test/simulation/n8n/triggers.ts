import type { IHookFunctions, INode } from 'n8n-workflow';

import { readParameter } from '../../support/parameters';
import { stored, type TriggerWorkflow } from './database';
import type { Installation } from './execute';
import type { Process } from './process';

type Hook = 'checkExists' | 'create' | 'delete';

/** How often n8n tries to register and to remove (seen in n8n 2.41.1). */
const tries = { create: 5, remove: 3 };

export function triggerNode(process: Process, workflow: TriggerWorkflow): INode {
	return {
		id: workflow.nodeId,
		name: 'SignVerify Trigger',
		type: `n8n-nodes-signverify.${process.code.trigger.description.name}`,
		typeVersion: 1.1,
		position: [0, 0],
		webhookId: workflow.webhookId,
		parameters: {
			events: workflow.events,
			output: 'simplified',
			downloadFiles: workflow.files,
		},
	};
}

/** The address of a trigger, without its secret. */
export function triggerAddress({ url }: Installation, workflow: TriggerWorkflow): string {
	return `${url}/webhook/${workflow.webhookId}/signverify`;
}

async function runHook(
	process: Process,
	installation: Installation,
	workflow: TriggerWorkflow,
	hook: Hook,
	state: TriggerWorkflow['staticData'],
): Promise<boolean> {
	const caller = process.caller('hook', { trigger: workflow.id });
	const node = triggerNode(process, workflow);
	const context = {
		helpers: process.helpers(caller, node),
		getNode: () => node,
		getCredentials: async () => await process.readCredential(caller),
		getInstanceId: () => installation.instanceId,
		getNodeParameter: (name: string, fallback?: unknown) =>
			readParameter(node.parameters, name, fallback),
		getWorkflowStaticData: () => state,
		getNodeWebhookUrl: () => triggerAddress(installation, workflow),
		getWorkflow: () => ({ id: workflow.id, name: 'Contracts', active: true }),
		logger: { warn: () => undefined, error: () => undefined },
	} as unknown as IHookFunctions;
	const hooks = process.code.trigger.webhookMethods?.default;
	return (await hooks?.[hook]?.call(context)) ?? false;
}

/** Publishes: registers, five tries with growing pauses. Gives whether it worked. */
export async function activate(
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
			await process.withDatabase(caller, 'is active', () => (workflow.active = true));
			return true;
		} catch {
			try {
				await runHook(process, installation, workflow, 'delete', state);
			} catch {
				// n8n tries again all the same.
			}
			await keep();
			if (number < tries.create) await process.world.sleep(1000 * 2 ** (number - 1));
		}
	}
	return false;
}

/** Unpublishes: removes, three attempts, then n8n gives up. Gives whether it worked. */
export async function deactivate(
	process: Process,
	installation: Installation,
	workflow: TriggerWorkflow,
): Promise<boolean> {
	const caller = process.caller('hook', { trigger: workflow.id });
	await process.withDatabase(caller, 'is inactive', () => (workflow.active = false));
	for (let number = 1; number <= tries.remove; number++) {
		const state = stored(workflow.staticData);
		let done = false;
		try {
			await runHook(process, installation, workflow, 'delete', state);
			done = true;
		} catch {
			await process.world.sleep(1000);
		}
		await process.withDatabase(caller, 'keeps its static data', () => {
			workflow.staticData = stored(state);
		});
		if (done) return true;
	}
	return false;
}
