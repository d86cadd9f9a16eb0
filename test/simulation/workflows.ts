import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { toRealPeople } from '../../host/workflow';
import type { NodeSettings } from '../n8n/database';
import { field } from '../n8n/execute';
import { operationNamed } from '../operations';
import { templateId, templateValues } from '../operations/service';
import { owners } from './service/contract';
import type { Accounts } from './service/accounts';
import type { Service } from './service/service';

const people = { signatories: { signatory: [{ name: field('name'), email: field('email') }] } };

/**
 * The tasks that an action workflow can have. Each task has an operation, and parameters that override those
 * in test/operations.
 */
const tasks = {
	send: ['document/send', people],
	sendAndWait: ['document/sendAndWait', people],
	request: ['identity/request', {}],
	waitForIdentity: ['identity/sendAndWait', { validationId: field('validationId') }],
	download: ['document/download', { documentUrl: field('fileUrl') }],
} as const;

export type Task = keyof typeof tasks;

/** An action workflow's setup, as plain data that can be printed when a run fails. */
export interface WorkflowPlan {
	task: Task;
	items: number;
	/** The index of the item with a wrong value, or -1 if there is no such item. */
	wrongItem: number;
	/** The wrong value of an item that is sent for signature: the person's address, or the person's name. */
	wrongPart: 'email' | 'name';
	/** Whether all items refer to the same file or identity request, if the task needs one. */
	sameTarget: boolean;
	settings: NodeSettings;
	/** The batch size of Loop Over Items; 0 without a loop. */
	batch: number;
	/** The credential's account. With `byItem`, each item names its own account. */
	account: number | 'byItem';
	/** The number of branches that lead to the node, if it is not in a loop. */
	branches: number;
	sendOnce: boolean;
	/** Whether the first two items have the same Send Once Key, although they are for different people. */
	sharedKey: boolean;
	/** A wait's time limit in minutes. */
	limit: number;
	files: boolean;
}

/** These tasks create something, so they must not be repeated. */
const creatingTasks: Task[] = ['send', 'sendAndWait', 'request'];

/** These tasks make the execution wait. */
const waitingTasks: Task[] = ['sendAndWait', 'waitForIdentity'];

const settings: fc.Arbitrary<NodeSettings> = fc.oneof(
	{ weight: 2, arbitrary: fc.constant({}) },
	{
		weight: 3,
		arbitrary: fc.record(
			{
				onError: fc.constantFrom<NonNullable<NodeSettings['onError']>>(
					'continueErrorOutput',
					'continueRegularOutput',
				),
				retryOnFail: fc.constant(true),
				maxTries: fc.constantFrom(2, 3),
				executeOnce: fc.constant(true),
				alwaysOutputData: fc.constant(true),
			},
			{ requiredKeys: [] },
		),
	},
);

/** A wait's default time limit in minutes. */
const defaultLimit = 30 * 24 * 60;

/**
 * Makes setups for action workflows. `sendAndWait`, `send` and `waitForIdentity` are chosen more often than
 * the other tasks.
 */
const anyPlan: fc.Arbitrary<WorkflowPlan> = fc.record({
	task: fc.oneof(
		{ weight: 3, arbitrary: fc.constantFrom<Task>('sendAndWait', 'send', 'waitForIdentity') },
		{ weight: 2, arbitrary: fc.constantFrom<Task>('request', 'download') },
	),
	items: fc.integer({ min: 1, max: 4 }),
	wrongItem: fc.oneof({ weight: 4, arbitrary: fc.constant(-1) }, fc.nat(3)),
	wrongPart: fc.constantFrom('email', 'name'),
	sameTarget: fc.boolean(),
	settings,
	batch: fc.constantFrom(0, 0, 1, 2),
	account: fc.constantFrom(0, 0, 0, 1, 'byItem' as const),
	branches: fc.constantFrom(1, 1, 1, 2),
	sendOnce: fc.boolean(),
	sharedKey: fc.constantFrom(false, false, true),
	limit: fc.constantFrom(defaultLimit, defaultLimit, 5, 60),
	files: fc.boolean(),
});

/**
 * Makes realistic setups. An execution can wait for only one item at a time, so a waiting node gets one item
 * per branch or per round of a loop. Occasionally, a waiting node gets more items than that, in which case it
 * must not send anything.
 */
export const planArbitrary: fc.Arbitrary<WorkflowPlan> = fc
	.tuple(anyPlan, fc.nat(9))
	.map(([any, chance]) => {
		// A wait's account cannot be an expression, because no item exists when the wait's event arrives.
		const isKnown = any.account !== 'byItem' || ['send', 'request'].includes(any.task);
		const account = isKnown ? any.account : 0;
		const plan = { ...any, account };
		if (!waitingTasks.includes(plan.task) || chance === 0) return plan;
		return plan.batch > 0
			? { ...plan, batch: 1 }
			: {
					...plan,
					items: plan.branches,
					wrongItem: plan.wrongItem < plan.branches ? plan.wrongItem : -1,
				};
	});

/**
 * The objects in the service that a workflow's items refer to. These objects are created before the workflow
 * runs.
 */
export interface Targets {
	/** The link to the file of a fully signed document. */
	documentUrl: string;
	validationId: string;
}

/**
 * Makes a workflow's items.
 * @param name The workflow's name, which is part of every email address, webhook URL and key.
 */
export function itemsOf(plan: WorkflowPlan, name: string, targets: Targets[]): IDataObject[] {
	return Array.from({ length: plan.items }, (_, index) => {
		const target = targets[plan.sameTarget ? 0 : index] as Targets;
		const isWrong = index === plan.wrongItem;
		const isNameless = isWrong && plan.wrongPart === 'name' && tasks[plan.task][1] === people;
		return {
			key: `${name}-${plan.sharedKey && index === 1 ? 0 : index}`,
			account: owners[index % 2]?.userId ?? '',
			name: isNameless ? '' : 'Ada Lovelace',
			email: isWrong && !isNameless ? 'nobody' : `${name}-${index}@example.com`,
			fileUrl: isWrong ? 'nowhere' : target.documentUrl,
			validationId: isWrong ? '' : target.validationId,
			hook: isWrong ? 'nowhere' : `https://elsewhere.example.com/${name}-${index}`,
		};
	});
}

export function parametersOf({ task, sendOnce, limit, files }: WorkflowPlan): INodeParameters {
	const [operation, more] = tasks[task];
	const waiting = { limitWaitTime: limit, limitWaitTimeUnit: 'minutes', downloadFiles: files };
	return {
		...operationNamed(operation).parameters,
		...more,
		...(waitingTasks.includes(task) ? waiting : {}),
		...(creatingTasks.includes(task)
			? { ...toRealPeople, ...(sendOnce ? { options: { sendOnceKey: field('key') } } : {}) }
			: {}),
	};
}

/**
 * Creates the objects that workflow items refer to. They are created directly in the account, not through
 * n8n.
 */
export async function prepareTargets({ all }: Accounts, account: number): Promise<Targets[]> {
	const service = all[account] as Service;
	const { documents, identity, registrations, links } = service;
	const create = (email: string) =>
		documents.create('v2', {
			templateID: templateId,
			country: 'Mexico',
			inputs: templateValues,
			signatories: [{ email, name: 'Ada Lovelace' }],
		}).documentID;
	const targets: Targets[] = [];
	for (const index of [0, 1, 2, 3]) {
		const completed = create(`completed-${account}-${index}@example.com`);
		// This webhook does not belong to any workflow.
		const other = `https://elsewhere.example.com/other/${index}`;
		registrations.addForDocuments('failedBiometric', other);
		await service.sign(completed);
		const email = `person-${account}-${index}@example.com`;
		const { validationId } = identity.create({ email, type: 'FACE', backgroundCheck: false });
		targets.push({
			documentUrl: links.file(completed, 'document'),
			validationId,
		});
	}
	return targets;
}
