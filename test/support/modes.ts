import type { IDataObject, IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { executeContext, type RunSetup } from './contexts';
import type { CredentialKeeper } from './credentials';

/**
 * The ways in which an execution can be started, by whether it is a test run. The first word is n8n's mode. In
 * a sub-workflow, the second word is the mode of the first workflow. The last word can say that the workflow
 * is published, or that n8n doesn't report whether it is, as in queue mode.
 */
export const startsByKind = {
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
		'error',
		'cli',
		'chat published',
		'integrated trigger',
		'integrated webhook',
	],
	unknown: [
		'retry',
		'internal',
		'agent',
		'integrated',
		'integrated retry',
		'chat unreported',
		'integrated chat',
		'integrated chat published',
		'another',
	],
};

/** Makes the context of an execution that was started in one of the ways in {@link startsByKind}. */
export function contextStartedBy(
	start: string,
	keeper: CredentialKeeper,
	parameters: IDataObject,
): IExecuteFunctions {
	const [mode, ...more] = start.split(' ');
	const last = more.at(-1) ?? '';
	const isPublished = { published: 'v1', unreported: undefined };
	const activeVersionId = last in isPublished ? isPublished[last as 'published'] : null;
	const [rootExecutionMode] = more.filter((word) => !(word in isPublished));
	const setup: RunSetup = { parameters, mode: mode as WorkflowExecuteMode };
	const context = executeContext(keeper, setup);
	return Object.assign(context, {
		additionalData: { rootExecutionMode, hooks: { workflowData: { activeVersionId } } },
	});
}
