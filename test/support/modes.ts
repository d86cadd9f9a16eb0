import type { IDataObject, IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { executeContext, type RunSetup } from './contexts';
import type { CredentialKeeper } from './credentials';

/**
 * The ways in which an execution can be started, by whether it is a test run. The first word is n8n's mode. In
 * a sub-workflow, the second word is the mode of the first workflow. More words name what else n8n stores or reports:
 * - `published`: the workflow is published. `unreported`: n8n doesn't report whether it is, as in queue mode.
 * - `began:<mode>`: the mode in which the execution began, which n8n keeps on Retry.
 * - `caller:<mode>`: the mode in which the execution that called the sub-workflow, or that failed and so started the
 *   error workflow, began; no mode if n8n doesn't store it.
 * - `from:<trigger>`: the trigger with which that execution, or the first of its callers, began.
 * - `agent`: one of n8n's Agents runs the workflow as its tool.
 */
export const startsByKind = {
	test: [
		'manual',
		'manual published',
		'manual unreported',
		'manual published began:webhook',
		'manual agent',
		'evaluation published',
		'chat',
		'trigger',
		'webhook',
		'integrated manual published',
		'integrated manual caller:webhook',
		'integrated evaluation',
		'integrated caller:manual',
		'integrated retry caller:manual',
		'retry began:manual',
		'retry published began:evaluation',
		'retry began:integrated caller:manual',
		'error caller:manual',
		'error caller:manual from:webhook',
		'error caller:evaluation',
		'error caller:integrated from:manualTrigger',
		'retry began:error caller:manual',
		'retry began:error caller:integrated from:manualTrigger',
	],
	live: [
		'trigger published',
		'webhook published',
		'trigger unreported',
		'webhook unreported',
		// A trigger that failed to start has no execution.
		'error',
		'error caller:trigger',
		'error caller:webhook from:webhook',
		'cli',
		'chat published',
		'integrated trigger',
		'integrated webhook',
		'integrated webhook caller:manual',
		'integrated caller:webhook',
		'integrated retry caller:trigger',
		'integrated agent',
		// On Retry, n8n reports every workflow as unpublished.
		'retry began:webhook',
		'retry began:trigger',
		'retry unreported began:webhook',
		'retry began:error',
		'retry began:error caller:trigger',
		'retry began:integrated caller:webhook',
		'retry retry began:integrated caller:trigger',
	],
	unknown: [
		// Versions of n8n before 2.41 don't store how an execution began.
		'retry',
		'internal',
		'agent',
		'integrated',
		'integrated retry',
		// Two levels of sub-workflows: the direct caller began as a sub-workflow.
		'integrated caller:integrated',
		'integrated integrated caller:integrated',
		'integrated retry caller:integrated',
		'retry began:integrated',
		'retry began:integrated caller:integrated',
		'retry published began:chat',
		'retry began:another',
		'integrated caller:chat',
		'integrated caller:integrated agent',
		'chat unreported',
		'integrated chat',
		'integrated chat published',
		'error caller:',
		'error caller:integrated',
		// A published workflow and a webhook that is tried by hand look the same.
		'error caller:integrated from:webhook',
		'error caller:chat',
		'error caller:cli',
		'error caller:error',
		'error caller:another',
		'retry began:error caller:integrated from:webhook',
		// A sub-workflow of an error workflow: the execution that failed isn't known.
		'integrated error caller:error',
		'integrated caller:error',
		'another',
	],
};

function parentOf(mode: string, trigger: string | undefined) {
	const triggerNode = trigger && { name: 'Start', type: `n8n-nodes-base.${trigger}` };
	return { executionId: '1', ...(mode ? { executionContext: { source: mode, triggerNode } } : {}) };
}

/** Makes the context of an execution that was started in one of the ways in {@link startsByKind}. */
export function contextStartedBy(
	start: string,
	keeper: CredentialKeeper,
	parameters: IDataObject,
): IExecuteFunctions {
	const [mode, ...words] = start.split(' ');
	const valueOf = (name: string) =>
		words.find((word) => word.startsWith(`${name}:`))?.slice(name.length + 1);
	const [began, caller, from] = [valueOf('began'), valueOf('caller'), valueOf('from')];
	const publications = { published: 'v1', unreported: undefined };
	const publication = words.find((word) => word in publications) as keyof typeof publications;
	const activeVersionId = publication ? publications[publication] : null;
	const rootExecutionMode = words.find(
		(word) => !(word in publications) && !word.includes(':') && word !== 'agent',
	);
	const setup: RunSetup = { parameters, mode: mode as WorkflowExecuteMode };
	const context = executeContext(keeper, setup) as unknown as { runExecutionData: IDataObject };
	const { runExecutionData } = context;
	return Object.assign(context as unknown as IExecuteFunctions, {
		additionalData: { rootExecutionMode, hooks: { workflowData: { activeVersionId } } },
		runExecutionData: {
			...runExecutionData,
			executionData: {
				...(runExecutionData.executionData as IDataObject),
				...(began ? { runtimeData: { version: 1, establishedAt: 1, source: began } } : {}),
			},
			...(caller === undefined ? {} : { parentExecution: parentOf(caller, from) }),
			...(words.includes('agent') ? { parentAgentRun: { agentId: 'a', runId: 'r' } } : {}),
		},
	});
}
