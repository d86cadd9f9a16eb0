import { isAwaited, type AwaitedDocument } from '../../nodes/SignVerify/waiting/matching';

const now = Date.now();
const awaited: AwaitedDocument = {
	documentId: '',
	templateId: 'lease',
	emails: ['ana@example.com', 'Ben@example.com'],
	since: now,
};
const signatory = (emailID: string) => ({
	signatoryID: emailID,
	emailID,
	isSigned: 1,
	signing: {},
});
const both = [signatory('ben@example.com'), signatory('ANA@example.com')];
const body = (Document: object) => ({ type: 'completedDocument', Document });

test.each([
	['its ID', { documentID: 'one' }, true],
	['its other ID', { _id: 'one' }, true],
	[
		'another ID, all else the same',
		{ documentID: 'two', templateID: 'lease', signatory: both },
		false,
	],
	['no ID', { templateID: 'lease', signatory: both }, false],
])('where the ID is known: %s', (_name, document, expected) => {
	expect(isAwaited(body(document), { ...awaited, documentId: 'one' })).toBe(expected);
});

test.each([
	['template and people, in any order and case', { templateID: 'lease', signatory: both }, true],
	['no template', { signatory: both }, true],
	['another template', { templateID: 'nda', signatory: both }, false],
	['one person less', { templateID: 'lease', signatory: both.slice(1) }, false],
	[
		'one person more',
		{ templateID: 'lease', signatory: [...both, signatory('eve@example.com')] },
		false,
	],
	['nobody', { templateID: 'lease', signatory: [] }, false],
	['a document made later', { signatory: both, addedOn: now + 60_000 }, true],
	['a clock that is a little behind', { signatory: both, addedOn: String(now - 60_000) }, true],
	['a document made before', { signatory: both, addedOn: now - 3_600_000 }, false],
])('where it is not: %s', (_name, document, expected) => {
	expect(isAwaited(body(document), awaited)).toBe(expected);
});

test.each([[{}], [{ Document: null }], [{ Document: 'one' }], [{ Document: [] }]])(
	'a body without a document: %j',
	(given) => {
		expect(isAwaited(given, awaited)).toBe(false);
		expect(isAwaited(given, { ...awaited, documentId: 'one' })).toBe(false);
	},
);
