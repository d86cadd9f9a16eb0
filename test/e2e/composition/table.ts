import type { FaultName } from './faults';
import type { OperationName } from './operations';
import type { End } from './outcomes';

/** Operations for which a fault leads to the same. */
interface Group {
	/** As the documentation calls them. */
	words: string;
	operations: OperationName[];
}

/** What one fault leads to in some operations. */
export interface Row {
	fault: FaultName;
	where: Group;
	/** Without Retry On Fail. */
	off: End;
	/** With Retry On Fail. */
	on: End;
}

const sendingNames: OperationName[] = ['document/createFromTemplate', 'document/sendAndWait'];
const waitingNames: OperationName[] = ['document/sendAndWait', 'identity/sendAndWait'];
const creatingNames: OperationName[] = [
	...sendingNames,
	'identity/request',
	'identity/sendAndWait',
	'webhook/create',
];
const templateNames: OperationName[] = ['template/getAll', 'template/get'];
const oneCallNames: OperationName[] = ['webhook/delete', 'identity/get', 'identity/getResults'];
const callingNames: OperationName[] = [
	...creatingNames,
	...templateNames,
	'webhook/getAll',
	...oneCallNames,
];

const all: Group = {
	words: 'every operation',
	operations: [...callingNames, 'document/download'],
};
const calling: Group = {
	words: 'every operation except Document: Download, which needs no token',
	operations: callingNames,
};
const creating: Group = {
	words: 'every operation that creates a document, an identity request or a webhook',
	operations: creatingNames,
};
const waiting: Group = { words: 'both operations that wait', operations: waitingNames };
const withTemplates: Group = {
	words: 'Document: Send for Signature, Send for Signature and Wait; Template: Get, Get Many',
	operations: [...sendingNames, ...templateNames],
};
const oneCall: Group = {
	words: 'Identity: Get, Get Results; Webhook: Delete',
	operations: oneCallNames,
};
const listing: Group = { words: 'Webhook: Get Many', operations: ['webhook/getAll'] };
const reading: Group = {
	words: 'Identity: Get, Get Results; Webhook: Delete, Get Many',
	operations: [...listing.operations, ...oneCallNames],
};
const finding: Group = {
	words: 'Document: Download; Identity: Get, Get Results; Template: Get; Webhook: Delete',
	operations: ['template/get', ...oneCallNames, 'document/download'],
};

/** The composition matrix: each row with each choice of On Error, without and with Retry On Fail. */
export const table: Row[] = [
	{ fault: 'none', where: all, off: 'done', on: 'done' },
	{ fault: 'option', where: all, off: 'allFail', on: 'allFail' },
	{ fault: 'malformed', where: all, off: 'oneFails', on: 'oneFails' },
	{ fault: 'absent', where: finding, off: 'oneFails', on: 'oneFails' },
	{ fault: 'tokenRefused', where: calling, off: 'allFail', on: 'allFail' },
	{ fault: 'tokenFails', where: calling, off: 'done', on: 'done' },
	{ fault: 'listRefused', where: withTemplates, off: 'allFail', on: 'done' },
	{ fault: 'listFails', where: withTemplates, off: 'allFail', on: 'allFail' },
	{ fault: 'registrationFails', where: waiting, off: 'allFail', on: 'done' },
	{ fault: 'registrationBroken', where: waiting, off: 'allFail', on: 'done' },
	{ fault: 'registrationRefused', where: waiting, off: 'allFail', on: 'done' },
	{ fault: 'registrationForbidden', where: waiting, off: 'allFail', on: 'allFail' },
	{ fault: 'answerLost', where: creating, off: 'oneUnsure', on: 'oneUnsure' },
	{ fault: 'callFailsOnce', where: creating, off: 'oneUnsure', on: 'oneUnsure' },
	{ fault: 'callRefused', where: creating, off: 'oneFails', on: 'done' },
	{ fault: 'callRefused', where: oneCall, off: 'oneFails', on: 'done' },
	{ fault: 'callRefused', where: listing, off: 'allFail', on: 'done' },
	{ fault: 'callBroken', where: reading, off: 'done', on: 'done' },
	{ fault: 'callFails', where: reading, off: 'allFail', on: 'allFail' },
];
