import type { IDataObject, IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { executeContext, type RunSetup } from './contexts';
import type { CredentialKeeper } from './credentials';

/**
 * The ways in which an execution can be started, by whether it is a test run. The first word is n8n's mode. In
 * a sub-workflow, the second word is the mode of the first workflow. The last word can say that the workflow
 * is published, that n8n doesn't report whether it is, or that n8n's Engine 2.0 runs it, which reports every
 * workflow as unpublished.
 */
export const begunAs = {
	test: [
		'manual',
		'manual published',
		'manual unreported',
		'evaluation published',
		'chat',
		'trigger',
		'webhook',
		'integrated manual published',
		'integrated evaluation',
	],
	live: [
		'trigger published',
		'webhook published',
		'trigger unreported',
		'webhook unreported',
		'trigger engine2',
		'webhook engine2',
		'error',
		'cli',
		'agent',
		'chat published',
		'integrated trigger',
		'integrated webhook',
	],
	unknown: [
		'retry',
		'internal',
		'integrated',
		'integrated retry',
		'chat unreported',
		'integrated chat',
		'integrated chat published',
		'another',
	],
};

/** Makes the context of an execution that was started in one of the ways in {@link begunAs}. */
export function contextBegunBy(
	began: string,
	keeper: CredentialKeeper,
	parameters: IDataObject,
): IExecuteFunctions {
	const [mode, ...more] = began.split(' ');
	const last = more.at(-1) ?? '';
	const active = last === 'unreported' ? undefined : last === 'published';
	const [rootExecutionMode] = more.filter(
		(word) => !['published', 'unreported', 'engine2'].includes(word),
	);
	const setup: RunSetup = { parameters, mode: mode as WorkflowExecuteMode };
	const context = executeContext(keeper, setup);
	const workflow = { ...context.getWorkflow(), active };
	const uuid = '0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b';
	return Object.assign(context, {
		...(last === 'engine2' ? { getExecutionId: () => uuid } : {}),
		additionalData: { rootExecutionMode },
		getWorkflow: () => workflow,
	});
}
