import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject, IPairedItemData } from 'n8n-workflow';

import type { Execution } from '../../../host/apiTypes';
import { outputOf } from '../../../host/executions';
import type { QueueStage } from '../../../host/queue/stage';
import type { Step } from '../../../host/workflow';
import { post } from '../../e2e/support/http';
import { listWorkflow } from '../../e2e/support/listWorkflow';
import { until } from '../../e2e/support/stage';
import { credentialId } from '../../e2e/support/trigger';
import { executionEntries, settled, storedExecutions } from './database';
import { FailedExecutions } from './failedExecutions';
import type { OutputEntry } from './history/entries';
import type { History } from './history/history';

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
			signatoriesFrom: 'form',
			signatories: { signatory: [{ email: `${key}@example.com`, name: 'Ana Lima' }] },
			country: { __rl: true, mode: 'name', value: 'Mexico' },
			options: { sendOnceKey: key },
		},
		credentials: { signVerifyApi: { id: credential, name: 'SignVerify sandbox' } },
		onError: 'continueRegularOutput',
	};
	return listWorkflow('Sends once', '={{ { list: $json.body.keys } }}', [send]);
}

/** A published workflow that sends documents with a Send Once Key. */
export class Sending {
	private lists = 0;
	/** Documents of somebody else. */
	private readonly others: Set<string>;
	private readonly failed: FailedExecutions;

	private constructor(
		private readonly stage: QueueStage,
		private readonly history: History,
		private readonly id: string,
		private readonly url: string,
	) {
		this.others = new Set(stage.sandbox.documents().map(({ documentID }) => documentID));
		this.failed = new FailedExecutions(stage, id);
	}

	static async publish(stage: QueueStage, history: History): Promise<Sending> {
		const { api, sandbox } = stage;
		const template = sandbox.templates().find(({ slots }) => slots.length === 1);
		if (!template) throw new Error('The sandbox has no template for one signatory.');
		const fields = template.fields.map(({ key }) => key);
		const credential = await credentialId(api);
		const { workflow, path } = sendingWorkflow(template.templateID, fields, credential);
		const { id } = await api.createWorkflow(workflow);
		await api.activate(id);
		return new Sending(stage, history, id, `${stage.url}/webhook/${path}`);
	}

	/** Starts an execution that sends these keys; again, where it is not answered 2xx. */
	async start(keys: string[]): Promise<void> {
		const list = `send-${String(++this.lists).padStart(5, '0')}`;
		let tries = 0;
		await until('the call is taken', async () => {
			const call = `${list}#${++tries}`;
			this.history.note({ type: 'call', call });
			for (const key of keys) this.history.note({ type: 'send', call, key });
			const status = await post(this.url, { call, keys }).catch(
				(error: { code?: string }) => error.code ?? 'no answer',
			);
			this.history.note({ type: 'answer', call, status });
			if (status !== 200) await delay(500);
			return status === 200;
		});
	}

	/**
	 * Waits until no execution is under way, or so long.
	 *
	 * @returns how many ended how
	 */
	async ended(limitMs: number): Promise<Record<string, number>> {
		return await settled(this.stage, this.id, limitMs);
	}

	/** Adds to the history what n8n and the service show at the end. */
	async show(): Promise<void> {
		await this.failed.stop();
		const executions = await storedExecutions(this.stage, this.id);
		const entries = executionEntries(executions, this.failed);
		for (const { id, status, stopped } of executions) {
			if (status !== 'success') continue;
			const execution = await this.stage.api.execution(id);
			entries.push(...outputEntries(execution, stopped ?? Date.now()));
		}
		for (const { documentID, signatory, addedOn } of this.stage.sandbox.documents()) {
			if (this.others.has(documentID)) continue;
			const key = signatory[0]?.emailID.split('@')[0] ?? '';
			entries.push({ type: 'document', at: addedOn, document: documentID, key });
		}
		this.history.show(entries);
	}
}

/** What the sending node gave out, by the keys of the items that its outputs are paired with. */
function outputEntries(execution: Execution, at: number): OutputEntry[] {
	const keys = outputOf(execution, 'Items').map(({ json }) => String(json.list));
	return outputOf(execution, nodeName).map(({ json, pairedItem }) => {
		const { item } = pairedItem as IPairedItemData;
		const key = keys[item] ?? `no item ${item}`;
		return { type: 'output', at, execution: execution.id, key, ...resultOf(json) };
	});
}

function resultOf(json: IDataObject): Pick<OutputEntry, 'result' | 'document' | 'message'> {
	const error = json.error as IDataObject | undefined;
	if (json.mayHaveBeenCreated === true || error?.mayHaveBeenCreated === true) {
		return { result: 'mayHaveBeenCreated', message: text(error?.message ?? json.reason) };
	}
	if (error) return { result: 'failed', message: text(error.message) };
	if (json.skipped === true) return { result: 'skipped' };
	return { result: 'created', document: text(json.documentId) };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
