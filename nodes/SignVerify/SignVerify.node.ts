import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { actionHint } from './builderHints';
import { listSearch } from './methods/listSearch';
import { resourceMapping } from './methods/resourceMapping';
import { templateKeyOptions } from './methods/templateKeys';
import { isVariant } from './n8nInternals';
import { properties, toolProperties } from './operations/nodeForm';
import { runOperation } from './operations/run';
import { refuseHumanReview } from './wait/humanReview';
import { continueOnEvent, resumeWebhooks } from './wait/onWaitEvent';

/** The action node. The operations in operations/nodeForm.ts define its form and its behavior. */
export class SignVerify implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SignVerify',
		name: 'signVerify',
		icon: { light: 'file:signVerify.svg', dark: 'file:signVerify.dark.svg' },
		group: ['transform'],
		// The same version as the trigger's, which must be above 1 (SignVerifyTrigger.node.ts explains why).
		version: 1.1,
		// The canvas shows the operation in words: "sendAndWait" becomes "send and wait". Two operations have a
		// different label.
		subtitle:
			'={{ ($parameter["resource"] === "identity" ? { sendAndWait: "wait until verified" } : { getAll: "get many" })[$parameter["operation"]] ?? $parameter["operation"].replace(/[A-Z]/g, (letter) => " " + letter.toLowerCase()) }}: {{ $parameter["resource"] }}',
		description:
			'Send contracts for signature, and continue when people sign. A whole list is checked before the first contract goes out.',
		defaults: { name: 'SignVerify' },
		// @n8n When AI agents use the node as a tool, its form is shorter. n8n's type allows only strings as
		// replacements, but n8n can replace any property, so the cast is safe.
		usableAsTool: { replacements: { properties: toolProperties } as object },
		waitingNodeTooltip:
			'={{ $parameter["resource"] === "identity" ? "The workflow continues once the result of the verification is in" : "The workflow continues once everyone has signed" }}',
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'signVerifyApi', required: true }],
		webhooks: resumeWebhooks,
		builderHint: actionHint,
		properties,
	};

	methods = { listSearch, loadOptions: templateKeyOptions, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (isVariant(this, 'HitlTool')) refuseHumanReview(this);
		return await runOperation(this);
	}

	/** n8n calls this method when an event arrives for a waiting execution. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await continueOnEvent(this);
	}
}
