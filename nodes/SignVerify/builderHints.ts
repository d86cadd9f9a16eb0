import type { INodeTypeDescription } from 'n8n-workflow';

/** What n8n's AI workflow builder reads about a node. Older versions of n8n ignore it. */
type BuilderHint = NonNullable<INodeTypeDescription['builderHint']>;

/** About the action node. */
export const nodeHint: BuilderHint = {
	searchHint:
		'Sends documents for signature by e-mail, made from a template of the account, and verifies identities. To continue in the same workflow when everybody has signed, use the operation sendAndWait, with an If behind it on {{ $json.completed === true }}. It takes one item: for several people, call a sub-workflow for each, without waiting for it. To start another workflow then, use the SignVerify Trigger. The keys in "fields" are those of the chosen template. A download needs the links of a signed document, from the trigger or from sendAndWait. As an AI tool it cannot wait: put a human review node before the tool that sends.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-signverify.signVerifyTrigger',
			relationHint: 'Starts a workflow when a document is signed or a person is verified',
		},
		{
			nodeType: 'n8n-nodes-base.if',
			relationHint: 'Behind sendAndWait: its items also come when the time limit is reached',
		},
		{
			nodeType: 'n8n-nodes-base.formTrigger',
			relationHint: 'Asks for names, e-mail addresses and the values of the document',
		},
	],
};

/** About the trigger. */
export const triggerHint: BuilderHint = {
	searchHint:
		'Starts a workflow when a document is sent, signed by one person, or completed, or when an identity verification is finished. It registers its own webhook at the service when the workflow is published: do not add a Webhook node. {{ $json.event }} says which event it is. completedDocument brings the links of the signed files, which expire: download them at once, with "Download Files" or with a SignVerify node behind it.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-signverify.signVerify',
			relationHint: 'Sends the documents, and downloads the signed files',
		},
		{ nodeType: 'n8n-nodes-base.if', relationHint: 'Tells several events apart' },
	],
};
