import type { INode } from 'n8n-workflow';

/** The choices of a node's setting "On Error", as n8n saves them. */
export const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type OnError = (typeof onErrors)[number];

/** The two settings of a node that decide what a failure leads to. */
export interface Setting {
	onError: OnError;
	/** Whether "Retry On Fail" is on, with 3 tries. */
	retry: boolean;
}

/** Every combination of the two. */
export const everySetting: Setting[] = onErrors.flatMap((onError) =>
	[false, true].map((retry) => ({ onError, retry })),
);

/** A setting as n8n saves it with the node. The wait between tries is the shortest that n8n takes. */
export function asSaved({ onError, retry }: Setting): Partial<INode> {
	return {
		onError,
		...(retry ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } : {}),
	};
}

/** How the editor calls the choices of On Error. */
export const onErrorWords: Record<OnError, string> = {
	stopWorkflow: 'Stop Workflow',
	continueRegularOutput: 'Continue',
	continueErrorOutput: 'Continue (using error output)',
};

/** How the editor calls a setting. */
export function wordsOf({ onError, retry }: Setting): string {
	return `${onErrorWords[onError]}${retry ? ', Retry On Fail' : ''}`;
}
