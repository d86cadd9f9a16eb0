import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { isAwaited, type AwaitedDocument } from '../../nodes/SignVerify/wait/document';

const now = Date.now();
const awaited: AwaitedDocument = {
	documentId: '',
	templateId: 'lease',
	emails: ['ana@example.com', 'Ben@example.com'],
	since: now,
	until: now + 2000,
};
const signatory = (emailID: string) => ({
	signatoryID: emailID,
	emailID,
	isSigned: 1,
	signing: {},
});
const both = [signatory('ben@example.com'), signatory('ANA@example.com')];
const body = (Document: object) => ({ type: 'completedDocument', Document });
const isAbout = (given: object, wanted: AwaitedDocument) =>
	isAwaited(readNotification('completedDocument', given as IDataObject).document, wanted);

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
	expect(isAbout(body(document), { ...awaited, documentId: 'one' })).toBe(expected);
});

const minute = 60_000;
const own = { templateID: 'lease', signatory: both, addedOn: now };
const iso = (time: number) => new Date(time).toISOString();

test.each<[string, object, boolean]>([
	['template and people, in any order and case', own, true],
	['the time as digits', { ...own, addedOn: String(now) }, true],
	['the time as ISO text', { ...own, addedOn: iso(now) }, true],
	['a clock that is a little behind', { ...own, addedOn: now - minute }, true],
	['a clock that is a little ahead', { ...own, addedOn: iso(now + minute) }, true],
	['no template', { ...own, templateID: undefined }, false],
	['an empty template', { ...own, templateID: '' }, false],
	['another template', { ...own, templateID: 'nda' }, false],
	['one person less', { ...own, signatory: both.slice(1) }, false],
	['nobody', { ...own, signatory: [] }, false],
	['no list of people', { ...own, signatory: 'ana@example.com' }, false],
	['a document made before', { ...own, addedOn: now - 60 * minute }, false],
	['a document made later', { ...own, addedOn: now + 60 * minute }, false],
	['no time', { ...own, addedOn: undefined }, false],
	['a time of another kind', { ...own, addedOn: { $date: now } }, false],
	['a time of no zone', { ...own, addedOn: iso(now).slice(0, -1) }, false],
	['a year', { ...own, addedOn: new Date(now).getFullYear() }, false],
	['no moment at all', { ...own, addedOn: '2026-13-45T99:99:99Z' }, false],
])('where it is not: %s', (_name, document, expected) => {
	expect(isAbout(body(document), awaited)).toBe(expected);
});

test('where the answer took long: a document made meanwhile', () => {
	const slow = { ...awaited, until: now + 30 * minute };
	expect(isAbout(body({ ...own, addedOn: now + 20 * minute }), slow)).toBe(true);
	expect(isAbout(body({ ...own, addedOn: now + 40 * minute }), slow)).toBe(false);
});

test('a wait that knows neither ID nor people nor template takes nothing', () => {
	const unknown = { documentId: '', templateId: '', emails: [], since: 0, until: 0 };
	const signatories = [signatory('')];
	for (const document of [own, { ...own, templateID: '' }, { ...own, signatory: signatories }]) {
		expect(isAbout(body(document), { ...unknown, since: now, until: now })).toBe(false);
		expect(isAbout(body({ ...document, templateID: '', addedOn: 0 }), unknown)).toBe(false);
	}
});

test.each([[{}], [{ Document: null }], [{ Document: 'one' }], [{ Document: [] }]])(
	'a body without a document: %j',
	(given) => {
		expect(isAbout(given, awaited)).toBe(false);
		expect(isAbout(given, { ...awaited, documentId: 'one' })).toBe(false);
	},
);
