import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { getTemplateFields } from './methods/getTemplateFields';
import { searchTemplates } from './methods/searchTemplates';
import { searchWebhooks } from './methods/searchWebhooks';
import { properties } from './operations';
import { runOperation } from './operations/run';

/** The action node. Its form and its work come from the operations (operations/index.ts). */
export class SignVerify implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SignVerify',
		name: 'signVerify',
		icon: { light: 'file:signVerify.svg', dark: 'file:signVerify.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Send documents for signature and verify identities',
		defaults: { name: 'SignVerify' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'signVerifyApi', required: true }],
		properties,
	};

	methods = {
		listSearch: { searchTemplates, searchWebhooks },
		resourceMapping: { getTemplateFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runOperation(this)];
	}
}
