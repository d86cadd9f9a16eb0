import { signaturesOf } from '../../nodes/SignVerify/waiting/signatures';

const signatory = (name: string, isSigned: unknown) => ({
	signatoryID: name,
	emailID: `${name}@Example.com`,
	name,
	isSigned,
	signing: {},
});
const body = (people: unknown, named?: object) => ({
	type: 'signDocument',
	Document: { signatory: people, ...(named ? { webhookData: { signatory: named } } : {}) },
});
const ana = signatory('Ana', 1);
const ben = signatory('Ben', '1');
const eve = signatory('Eve', 0);
const person = (name: string) => ({ email: `${name}@Example.com`, name });

test.each([
	['the first', [ana, eve], ana, [], ['Ana'], false],
	['one of whom the list does not say so yet', [signatory('Ana', 0), eve], ana, [], ['Ana'], false],
	['the second, the first being known', [ana, ben, eve], ben, ['ana@example.com'], ['Ben'], false],
	[
		'the second, the event of the first was missed',
		[ana, ben, eve],
		ben,
		[],
		['Ana', 'Ben'],
		false,
	],
	['nothing new: an event again', [ana, eve], ana, ['ana@example.com'], [], false],
	['nothing new: a late event', [ana, eve], ana, ['ana@example.com', 'ben@example.com'], [], false],
	['the last', [ana, ben], ben, ['ana@example.com'], ['Ben'], true],
	['what was before is not known', [ana, ben, eve], ben, undefined, ['Ben'], false],
	['completed, and what was before is not known', [ana, ben], undefined, undefined, [], true],
	[
		'an entry that signs nothing',
		[ana, eve, { userID: 'u', isSigned: '1' }],
		ana,
		[],
		['Ana'],
		false,
	],
	['no list', undefined, ana, [], ['Ana'], false],
	['one who is not in the list', [eve], ana, [], ['Ana'], false],
])('%s', (_case, people, named, known, names, all) => {
	const found = signaturesOf(body(people, named), known);
	expect([found.news, found.all]).toEqual([names.map(person), all]);
});

test('what is known is kept, whatever an event says', () => {
	const known = ['zoe@example.com'];
	expect(signaturesOf(body([ana, eve], ana), known).signed).toEqual([
		'zoe@example.com',
		'ana@example.com',
	]);
	expect(known).toEqual(['zoe@example.com']);
});

test.each([[{}], [{ Document: null }], [{ Document: { webhookData: 'x', signatory: 'y' } }]])(
	'a body without any: %j',
	(given) => {
		expect(signaturesOf(given, [])).toEqual({ news: [], signed: [], all: false });
	},
);
