import type { INode } from 'n8n-workflow';

import type { Adapt } from '../support/exampleRuns';
import { own } from './runStage';

// What the tests of examples/thousands-send.json and thousands-signed.json share.
const { stage } = own;
export const office = 'people@example.com';
export const create = 'POST /templates/createDocumentByTemplateV2';

export interface Row {
	contract?: string | number;
	name?: string;
	email?: string;
}
/** A row of the data table, as far as the tests look at it. */
export interface TableRow {
	documentId: string;
	/** Nothing in rows of documents that were signed and are not on the list. */
	contract: string | null;
	name: string;
	email: string;
	signedAt: string;
}
/** Puts a list into the example. */
export const listOf =
	(people: Row[]): Adapt =>
	(node) => {
		node('Whom to send to').parameters.jsCode = `return ${JSON.stringify(people)};`;
	};
export const changeList = async (people: Row[], id: string) => {
	const { nodes } = await stage.n8n.api.getWorkflow(id);
	listOf(people)((name) => nodes.find((node) => node.name === name) as INode, nodes);
	await stage.n8n.api.updateWorkflow(id, { nodes });
};
export const documents = () => stage.sandbox.documents();
export const documentOf = (row: Row) =>
	documents().find(({ signatory }) => signatory[0]?.emailID === row.email)?.documentID ?? '';
/** The mails that a contract is signed, by person. */
export const told = (row: Row) =>
	own.subjects(row.email ?? '').filter((each) => each === `Contract ${row.contract} is signed`)
		.length;
