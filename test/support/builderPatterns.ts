import type { WorkflowInput } from '../../host/apiTypes';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { contract } from './contract';

/** The descriptions that have hints for n8n's AI workflow builder. */
export const hinted = [new SignVerify().description, new SignVerifyTrigger().description];

/** A workflow that the hints give as an example. */
export interface FoundPattern {
	title: string;
	code: string;
}

/** Every pattern of the hints, with a template of the sandbox in place of the one in the example. */
export const patterns: FoundPattern[] = hinted.flatMap(({ builderHint }) =>
	(builderHint?.extraTypeDefContent ?? []).flatMap(({ content }) =>
		[...content.matchAll(/<pattern title="(.+?)">\n(.+?)\n<\/pattern>/gs)].map(
			([, title = '', code = '']) => ({
				title,
				code: code.replaceAll('64f1c0de5a2b3c4d5e6f7081', contract),
			}),
		),
	),
);

/** The workflow that n8n's own library builds from a pattern, as n8n stores it. */
export async function workflowOf({ title, code }: FoundPattern): Promise<WorkflowInput> {
	const { parseWorkflowCode } = await import('@n8n/workflow-sdk');
	const { nodes, connections } = parseWorkflowCode(code);
	return { name: title.slice(0, 100), nodes, connections } as unknown as WorkflowInput;
}
