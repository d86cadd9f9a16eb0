import type { IDataObject } from 'n8n-workflow';

import { isRunning, outputOf } from '../../../host/executions';
import type { QueueStage } from '../../../host/queue-stage';
import type { Step } from '../../../host/workflow';
import { post } from '../../e2e/support/http';
import { listWorkflow } from '../../e2e/support/listWorkflow';
import { until } from '../../e2e/support/stage';
import { credentialId } from '../../e2e/support/trigger';

const nodeName = 'Send';

/** A workflow that is called with keys and sends a document for each, once. */
function sendingWorkflow(templateId: string, fields: string[], credential: string) {
	const key = '={{ $json.list }}';
	const send: Step = {
		name: nodeName,
		type: 'n8n-nodes-signverify.signVerify',
		parameters: {
			resource: 'document',
			operation: 'createFromTemplate',
			templateVersion: 'v2',
			templateId: { __rl: true, mode: 'id', value: templateId },
			fields: {
				mappingMode: 'defineBelow',
				value: Object.fromEntries(fields.map((field) => [field, 'Ana'])),
			},
			signatories: { signatory: [{ email: `${key}@example.com`, name: 'Ana Lima' }] },
			country: 'Mexico',
			options: { sendOnceKey: key },
		},
		credentials: { signVerifyApi: { id: credential, name: 'SignVerify sandbox' } },
		onError: 'continueRegularOutput',
	};
	return listWorkflow('Sends once', '={{ { list: $json.body.keys } }}', [send]);
}

/** A published workflow that sends documents with a Send Once Key. */
export class Sending {
	private constructor(
		private readonly stage: QueueStage,
		private readonly id: string,
		private readonly url: string,
	) {}

	static async publish(stage: QueueStage): Promise<Sending> {
		const { api, sandbox } = stage;
		const template = sandbox.templates().find(({ slots }) => slots.length === 1);
		if (!template) throw new Error('The sandbox has no template for one signatory.');
		const fields = template.fields.map(({ key }) => key);
		const credential = await credentialId(api);
		const { workflow, path } = sendingWorkflow(template.templateID, fields, credential);
		const { id } = await api.createWorkflow(workflow);
		await api.activate(id);
		return new Sending(stage, id, `${stage.url}/webhook/${path}`);
	}

	/** Starts an execution that sends these keys; again, where it is not answered 2xx. */
	async start(keys: string[]): Promise<void> {
		await until(
			'the call is taken',
			async () => (await post(this.url, { keys }).catch(() => 0)) === 200,
			60_000,
		);
	}

	/** Waits until no execution is under way, and gives how many ended how. */
	async ended(): Promise<Record<string, number>> {
		return await until(
			'the end of all executions',
			async () => {
				const all = await this.all();
				if (all.some(isRunning)) return undefined;
				const counts: Record<string, number> = {};
				for (const { status } of all) counts[status] = (counts[status] ?? 0) + 1;
				return counts;
			},
			240_000,
		);
	}

	/** What the newest executions gave out for each key, the newest execution's last. */
	async outputs(executions: number): Promise<Map<string, IDataObject>> {
		const outputs = new Map<string, IDataObject>();
		for (const { id } of (await this.all()).slice(0, executions).reverse()) {
			const execution = await this.stage.api.execution(id);
			const keys = outputOf(execution, 'Items').map(({ json }) => String(json.list));
			for (const [index, { json }] of outputOf(execution, nodeName).entries()) {
				outputs.set(keys[index] ?? '', json);
			}
		}
		return outputs;
	}

	private async all() {
		return await this.stage.api.executions({ workflowId: this.id, limit: 100 });
	}
}

/** How many documents the service holds for each key. */
export function documentsByKey({ sandbox }: Pick<QueueStage, 'sandbox'>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { signatory } of sandbox.documents()) {
		const key = signatory[0]?.emailID.split('@')[0] ?? '';
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return counts;
}
