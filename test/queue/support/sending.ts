import type { IDataObject, IPairedItemData } from 'n8n-workflow';

import type { Execution } from '../../../host/apiTypes';
import { outputOf } from '../../../host/executions';
import type { QueueStage } from '../../../host/queue/stage';
import { actionSteps } from '../../../host/workflow';
import { listWorkflow } from '../../e2e/support/wait';
import { filledForm } from '../../support/service';
import type { SendCall, SendOutput, SendRun } from './checkSends';
import { settled, startExecution, storedExecutions } from './stage';
import type { Outages } from './kills';

const nodeName = 'Send';

/** A workflow that is called with keys and sends a document for each, once. */
async function sendingWorkflow({ api, sandbox }: QueueStage) {
	const template = sandbox.templates().find(({ slots }) => slots.length === 1);
	if (!template) throw new Error('The sandbox has no template for one signatory.');
	const key = '={{ $json.list }}';
	const action = await actionSteps(api);
	const send = action(nodeName, {
		resource: 'document',
		operation: 'createFromTemplate',
		...filledForm(template),
		signatories: { signatory: [{ email: `${key}@example.com`, name: 'Ana Lima' }] },
		options: { sendOnceKey: key },
	});
	const steps = [{ ...send, onError: 'continueRegularOutput' as const }];
	return listWorkflow('Sends once', '={{ { list: $json.body.keys } }}', steps);
}

/** A published workflow that sends documents with a Send Once Key. */
export class Sending {
	private readonly calls: SendCall[] = [];
	private lists = 0;
	/** Documents of somebody else. */
	private readonly others: Set<string>;

	private constructor(
		private readonly stage: QueueStage,
		private readonly outages: Outages,
		private readonly id: string,
		private readonly url: string,
	) {
		this.others = new Set(stage.sandbox.documents().map(({ documentID }) => documentID));
	}

	static async publish(stage: QueueStage, outages: Outages): Promise<Sending> {
		const { workflow, path } = await sendingWorkflow(stage);
		const { id } = await stage.api.createWorkflow(workflow);
		await stage.api.activate(id);
		return new Sending(stage, outages, id, `${stage.url}/webhook/${path}`);
	}

	/** Starts an execution that sends these keys; again if it is not answered 2xx. */
	async start(keys: string[]): Promise<void> {
		const list = `send-${String(++this.lists).padStart(5, '0')}`;
		await startExecution(this.url, list, { keys }, this.calls);
	}

	/**
	 * Waits until no execution is under way, or so long.
	 * @returns How many ended how.
	 */
	async ended(limitMs: number): Promise<Record<string, number>> {
		return await settled(this.stage, this.id, limitMs);
	}

	/** What n8n and the service show now. */
	async look(): Promise<SendRun> {
		const { calls, outages, stage } = this;
		const executions = await storedExecutions(stage, this.id);
		const outputs: SendOutput[] = [];
		for (const { id, status } of executions) {
			if (status === 'success') outputs.push(...outputsOf(await stage.api.execution(id)));
		}
		const documents = stage.sandbox
			.documents()
			.filter(({ documentID }) => !this.others.has(documentID))
			.map(({ documentID: document, signatory }) => {
				return { document, key: signatory[0]?.emailID.split('@')[0] ?? '' };
			});
		return { calls, executions, outputs, documents, outages };
	}
}

/** What the sending node gave out, by the keys of the items that its outputs are paired with. */
function outputsOf(execution: Execution): SendOutput[] {
	const keys = outputOf(execution, 'Items').map(({ json }) => String(json.list));
	return outputOf(execution, nodeName).map(({ json, pairedItem }) => {
		const { item } = pairedItem as IPairedItemData;
		const key = keys[item] ?? `no item ${item}`;
		return { execution: execution.id, key, ...resultOf(json) };
	});
}

function resultOf(json: IDataObject): Pick<SendOutput, 'result' | 'document'> {
	const error = json.error as IDataObject | undefined;
	if (json.mayHaveBeenCreated === true || error?.mayHaveBeenCreated === true) {
		return { result: 'mayHaveBeenCreated' };
	}
	if (error) return { result: 'failed' };
	if (json.skipped === true) return { result: 'skipped' };
	return { result: 'created', document: String(json.documentId) };
}
