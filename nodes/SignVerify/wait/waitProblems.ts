import type { CallProblemTable } from '../http/callProblems';

const waitsForOthers =
	'A workflow that starts with a SignVerify Trigger will still get the result.';

export const waitProblems = {
	notBegun: ({ noun, reason }: { noun: string; reason: string }) => ({
		problem: `n8n can't wait for ${noun}: ${reason}`,
		remedy: 'Show this message to the person who runs your n8n.',
	}),
	/** @param created A human-readable name for what was sent, such as "document 64f…". */
	notPutToWait: (created: string, reason: string) => ({
		problem: `The node sent ${created}, but n8n can't wait for it: ${reason}`,
		remedy: `Don't send it again. ${waitsForOthers}`,
		docsAnchor: 'sent-without-a-wait',
	}),
	noDocumentId: {
		problem:
			"The node sent the document, but can't wait for it, because the service didn't return an ID",
		remedy: `Don't send it again. ${waitsForOthers} Send further documents with the Send document for signature action.`,
		docsAnchor: 'no-document-id',
	},
	noEarlierDocumentId: {
		problem:
			"The node can't wait for a document, because the service didn't return an ID for an earlier one",
		remedy:
			'Nothing was sent. Use the Send document for signature action, and continue in a second workflow that starts with a SignVerify Trigger. Once the output of that action contains a documentId, this node can wait again.',
		docsAnchor: 'no-document-id',
	},
} satisfies CallProblemTable;
