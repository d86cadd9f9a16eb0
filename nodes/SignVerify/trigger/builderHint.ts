import { ifNode, ourNode, patternsText, type BuilderHint } from '../util/builderHint';

/** What n8n's AI workflow builder reads of the trigger. */
export const builderHint: BuilderHint = {
	searchHint:
		'Starts a workflow when a document is sent, signed by one person, or completed, or when an identity verification is finished. It registers its own webhook at the service when the workflow is published: do not add a Webhook node. {{ $json.event }} says which event it is. completedDocument brings the links of the signed files, which expire: download them at once, with "Download Files" or with a SignVerify node behind it.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-signverify.signVerify',
			relationHint: 'Sends the documents, and downloads the signed files',
		},
		{ nodeType: 'n8n-nodes-base.if', relationHint: 'Tells several events apart' },
	],
	extraTypeDefContent: [
		{
			content: patternsText([
				{
					title: 'SignVerify Trigger → If completed → Download',
					nodes: [
						ourNode(
							'trigger',
							'event',
							'When Signed',
							"events: ['signDocument', 'completedDocument'], simplify: true",
						),
						ifNode('completed', 'Completed?', '$json.event === "completedDocument"'),
						ourNode(
							'node',
							'download',
							'Download',
							"resource: 'document', operation: 'download', files: ['document', 'certificate']",
						),
					],
					chain: ['event', 'completed', 'download'],
				},
			]),
		},
	],
};
