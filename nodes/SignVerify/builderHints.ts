import type { IBuilderHint } from 'n8n-workflow';

/*
 * What n8n's AI builders and MCP server tell their models about the nodes. Search results show `searchHint`,
 * and a node's types also show `extraTypeDefContent`. Older versions of n8n ignore both.
 */

export const actionHint: IBuilderHint = {
	searchHint: `Sends documents for signature from templates, waits until everyone has signed, downloads signed files, and verifies identities. When the published workflow runs, real people get emails. List a template's keys with getTemplateKeys.`,
	extraTypeDefContent: [
		{
			content: `<patterns>
<pattern title="Send a document for signature">
1. Find the template with the listSearch method searchTemplates.
2. With templateId in currentNodeParameters, list the keys of its fields and people with the loadOptions method getTemplateKeys.
3. Fill in these parameters, with one entry for each key, and the country whose law applies:
{"resource":"document","operation":"send","templateId":{"__rl":true,"mode":"list","value":"<template>"},"fields":{"mappingMode":"defineBelow","value":{"<key>":"<value>"}},"specifySignatories":"byRole","signatoryRoles":{"mappingMode":"defineBelow","value":{"<key>":"<value>"}},"country":{"__rl":true,"mode":"name","value":"<country>"}}
</pattern>
<pattern title="Test without emailing anyone">
A manual execution checks everything and sends nothing, and the output contains "outcome": "nothing". With "inTestRuns": "me" and "testEmail", everything goes to that address. When the published workflow runs, the document goes to the real people. While a workflow is being built, "neverSend": true in options is even safer: nothing is sent, however the workflow is started.
</pattern>
<pattern title="Continue when everyone has signed">
Use the operation sendAndWait with the same parameters, then an If on {{ $json.outcome === 'completed' && !$json.note }}. It takes one item. For several documents, call a sub-workflow for each, without waiting for it. "downloadFiles": true, "files": ["document"] adds the signed PDF as binary data named "document".
</pattern>
<pattern title="Verify an identity">
Use identity/request; a Filter on {{ ['sent', 'test'].includes($json.outcome) }}, because there is no link while nothing is sent; an email to {{ $json.email }} with the link {{ $json.url }}, because not every provider emails it; and identity/sendAndWait with the validationId of the first node and "expectedName". Then act on {{ $json.passed === true && $json.nameMatches === 'yes' && $json.isExpired === 'no' }}: passed can be true with anyone's ID, or an old one.
</pattern>
<pattern title="Use it as an agent's tool">
As a tool, this node can't wait, and it can't be the human review step of another tool. In n8n's Agents, options.sendOnceKey works only if the tool is a workflow that contains this node. To have people sign before an agent acts, let its tool start a workflow (without waiting for it) that uses sendAndWait and then acts with the same values. In that workflow, and in a tool of n8n's Agents that is this node, set inTestRuns to "realPeople": n8n doesn't always report there whether an execution is a test, and the node would then stop with an error. While you build it, set "neverSend": true in options as well, and remove it before it's published.
</pattern>
</patterns>`,
		},
	],
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-signverify.signVerifyTrigger',
			relationHint: 'Starts a workflow when a document is signed or a person is verified',
		},
		{
			nodeType: 'n8n-nodes-base.if',
			relationHint:
				'After a wait, distinguishes a completed document from a timeout or a cancellation',
		},
	],
};

export const triggerHint: IBuilderHint = {
	searchHint:
		'Starts a workflow when a document is sent, signed by one person, or completed (signed by everyone), or when an identity verification is finished. It registers its own webhook when the workflow is published, so do not add a Webhook node.',
	extraTypeDefContent: [
		{
			content: `<patterns>
<pattern title="Email the signed document">
Select the event completedDocument and set "downloadFiles": true, "files": ["document"]. The output then has the signed PDF as binary data named "document". The trigger starts for every document in the account, whoever sent it. To limit it to one template, set filters.templates to a list with the value that the loadOptions method getTemplates returns for the template. The links in the output expire, so download the files right away. {{ $json.event }} is the type of the event.
</pattern>
</patterns>`,
		},
	],
	relatedNodes: [
		{ nodeType: 'n8n-nodes-signverify.signVerify', relationHint: 'Sends the documents' },
		{
			nodeType: 'n8n-nodes-base.switch',
			relationHint: 'Distinguishes the events if several are selected',
		},
	],
};
