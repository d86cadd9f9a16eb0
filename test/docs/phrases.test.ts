import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import type { WorkflowInput } from '../../host/apiTypes';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { root } from '../../scripts/tools';
import { allExamples } from '../support/exampleFiles';
import { filesIn, textOfFile } from '../support/files';
import { anchorList, anchorsFile } from './anchorList';
import { anchorsOf, idsOf, type Page, readPage, readPages, spansOf, targetsOf } from './markdown';
import { messagesOfCode, type Message } from './messages';

/** A phrase that confused readers, and what to write instead. */
interface Phrase {
	not: RegExp;
	but: string;
}

/** Matches the beginning of a sentence or of a list item. */
const begin = /(?:^|[.:!?|] +|^[-*] )/.source;

/** Phrases that must not reappear on pages, in forms, in messages or in examples. */
const phrases: Phrase[] = [
	// Literal translations from German.
	{ not: /\b(?:go|goes|going|went) on (?:with|to wait|by|until|at)\b/, but: 'continue' },
	{ not: /\bwaits? on\b(?! the)/, but: 'wait again' },
	{ not: /\b(?:for ever|as ever)\b/, but: 'forever; as usual' },
	{ not: /\bwithout hands\b/, but: 'automatically' },
	{ not: /\bexcepted\b/, but: 'except …' },
	{ not: /\b(?:hear|hears|heard|hearing) of\b/, but: 'receive' },
	{ not: /\bbe it\b/, but: 'if' },
	{
		not: /\b(?:it|this|that|which|name|value) is no (?:\w+ )?(?:number|URL|name|list|address|word|object|file|template|ID|text)\b/,
		but: 'is not a …',
	},
	{ not: /\b(?:is|are|be|been|was|were) had\b/, but: 'could be loaded' },
	{ not: /\b(?:comes?|came|becomes?|became) of (?:it|them|what|that)\b/, but: 'what happens to …' },
	{ not: /\b(?:comes?|came|coming) out\b/, but: 'leave the node; is in the output' },
	{ not: /\bput(?:s|ting)? out\b/, but: 'output' },
	{ not: /\bwhat the \w+ gave\b/, but: 'the output of …' },
	{ not: /\ball the same\b/, but: 'still' },
	{ not: /\bone behind the other\b/, but: 'one after another' },
	{ not: /\b(?:unknown|whose) fate\b/, but: 'may have been created' },
	{ not: /\bby (?:the node's|its) own doing\b/, but: 'the node itself' },
	{ not: /\bunless you would rather not\b/, but: 'unless you ask us not to' },
	{ not: /\btakes nothing from this\b/, but: 'not allowed' },
	{ not: /\bthe time was up\b/, but: 'the time-out was reached' },
	// Words that have a more common synonym.
	{ not: /\bstands? (?:in|on|at|there|twice|for itself)\b/, but: 'is in …' },
	{ not: /(?<!\w)[Ss]ome \d/, but: 'about …' },
	// Conditions with inverted word order instead of "if".
	{ not: new RegExp(`${begin}(?:Should|Had|Were) (?:it|the|a|you|they|an|this)\\b`), but: 'If …' },
	{ not: new RegExp(`${begin}(?:Is|Are) (?:it|the|its|their|there|a)\\b[^.?]*, `), but: 'If …' },
	// Synonyms. Each thing must have only one name.
	{ not: /\b(?:webhook|callback|registered|resume|public) address(?:es)?\b/i, but: 'URL' },
	{ not: /\bcallback (?:secret|URL)\b/i, but: 'webhook secret; webhook URL' },
	{ not: /\bsignees?\b|\bsigners?\b/i, but: 'signatory' },
];

/** The phrases found in the text, each with its surroundings and what to write instead. */
function findPhrases(text: string, searched = phrases): string[] {
	const line = text.replace(/[ \t]*\n(?![\n|#>-])[ \t]*/g, ' ');
	return searched.flatMap(({ not, but }) =>
		[...line.matchAll(new RegExp(not.source, `${not.flags}gm`))].map(
			({ 0: found, index }) =>
				`"…${line.slice(Math.max(0, index - 30), index + found.length + 20).trim()}…": ${but}`,
		),
	);
}

/** A page's text without code, quoted messages and link targets. */
const wordsOf = (text: string) => text.replace(/`[^`\n]+`/g, '`…`').replace(/\]\([^)]+\)/g, ']');

const found = readPages().map(({ file, prose }) => ({
	file,
	phrases: findPhrases(wordsOf(prose)),
}));

test.each(found)('$file does not contain any banned phrases', ({ phrases }) => {
	expect(phrases).toEqual([]);
});

// docs/troubleshooting.md is left out, because it lists messages that quote the status of a response.
test('the user documentation other than docs/troubleshooting.md does not mention HTTP status codes', () => {
	const users = readPages().filter(
		({ file }) => /^docs\/[^/]+$/.test(file) && file !== 'docs/troubleshooting.md',
	);
	expect(users.length).toBeGreaterThan(8);
	const found = users.flatMap(({ file, prose }) =>
		[...prose.matchAll(/HTTP \d{3}|\([1-5]\d\d\)/g)].map(([status]) => [file, status]),
	);
	expect(found).toEqual([]);
});

/** Properties of a form whose text users read. */
const shown = ['displayName', 'description', 'placeholder', 'hint', 'action', 'emptyFieldsNotice'];

function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		typeof inner === 'string' && shown.includes(key) ? [inner] : textsIn(inner),
	);
}

/** The messages in the code, and all text in forms. */
let messages: Message[];
let texts: string[];

beforeAll(() => {
	const descriptions: Array<INodeTypeDescription | SignVerifyApi> = [
		new SignVerify().description,
		new SignVerifyTrigger().description,
		new SignVerifyApi(),
	];
	messages = messagesOfCode();
	const said = messages.map(({ text }) => text);
	texts = [...new Set([...descriptions.flatMap(textsIn), ...said])];
});

test('forms and messages do not contain any banned phrases', () => {
	expect(texts.length).toBeGreaterThan(300);
	expect(texts.flatMap((text) => findPhrases(text))).toEqual([]);
});

/**
 * All text that users read in an example: its name, its node names, and its notes, forms, pages and emails.
 */
function textsOfExample({ name, nodes }: WorkflowInput): string[] {
	const texts = nodes.flatMap(({ name: node, parameters }) => [node, ...stringsIn(parameters)]);
	return [name, ...texts];
}

function stringsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value ? Object.values(value).flatMap(stringsIn) : [];
}

test.each(allExamples)('$file does not contain any banned phrases', ({ workflow }) => {
	const texts = textsOfExample(workflow);
	expect(texts.length).toBeGreaterThan(5);
	expect(texts.flatMap((text) => findPhrases(text))).toEqual([]);
});

/** Words in the code that have another name there (docs/dev/architecture.md#terms). */
const codeWords: Phrase[] = [
	{ not: /attempt/i, but: 'try' },
	{ not: /reject(?!Unauthorized)/i, but: 'refuse' },
];

/** The comments of a source file, and the names that it contains. */
function commentsAndNamesOf(file: string): string[] {
	const source = ts.createSourceFile(file, textOfFile(file), ts.ScriptTarget.Latest, true);
	const texts = new Set<string>();
	const visit = (node: ts.Node) => {
		const start = node.getFullStart();
		for (const { pos, end } of ts.getLeadingCommentRanges(source.text, start) ?? []) {
			texts.add(source.text.slice(pos, end));
		}
		if (ts.isIdentifier(node)) texts.add(node.text);
		node.forEachChild(visit);
	};
	visit(source);
	visit(source.endOfFileToken);
	return [...texts];
}

test('comments and names in the code have one word for each thing', () => {
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		filesIn(path.join(root, folder)).map((file) => `${folder}/${file}`),
	);
	const texts = files
		.filter((file) => file.endsWith('.ts') && file !== anchorsFile)
		.flatMap(commentsAndNamesOf);
	expect(texts.filter((text) => text.startsWith('/')).length).toBeGreaterThan(1000);
	expect(texts.flatMap((text) => findPhrases(text, codeWords))).toEqual([]);
});

const page = readPage('docs/troubleshooting.md');

/** Whether text matches a pattern in which `…` stands for any text. */
function fits(text: string, pattern: string): boolean {
	const parts = pattern.split(/…+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`).test(text);
}

/** Whether a name on the page is this message or the beginning of it. */
function isNameOf(name: string, { text }: Message): boolean {
	// `…` at the beginning of a heading stands for the field or the URL that the message begins with.
	const words = name.replace(/^…:? /, '');
	// The page leaves out the name of the field and quoted values. `…` in a message stands for a value that
	// is known only at run time.
	const bare = text.replace(/^(?:[^:]*: )+/, '').replace(/"[^"]*" ?/g, '');
	// Some messages contain no words once their beginning is removed. That form would match every name, so
	// leave it out.
	const forms = [text, bare, bare.replace(/^… /, '')].filter((form) => /\p{L}{2}/u.test(form));
	return forms.some((message) =>
		[name, words].some((start) => fits(message, `${start}…`) || fits(start, message)),
	);
}

/** A row of a table whose first column contains messages, between backticks. */
interface Row {
	/** The heading above the table. */
	heading: string;
	/** The anchors in the row. */
	anchors: string[];
	messages: string[];
}

/** The rows of a page's tables of messages. */
function rowsOf({ prose, ...rest }: Page): Row[] {
	return prose.split(/^#+ /m).flatMap((part) => {
		const [, table = ''] = /^\| Message +\|.*\n\|.*\n((?:\|.*\n?)*)/m.exec(part) ?? [];
		const [heading = ''] = part.split('\n');
		return table
			.split('\n')
			.filter(Boolean)
			.map((line) => {
				const cell = { ...rest, prose: line.split(' | ')[0] ?? '' };
				return { heading, anchors: idsOf(cell), messages: spansOf(cell) };
			});
	});
}

// These messages come from n8n.
const rows = [page, readPage('docs/go-live.md')]
	.flatMap(rowsOf)
	.filter(({ heading }) => heading !== 'Other messages');

/** Where errors can link to: the rows, and the sections with the messages that they quote. */
const targets = [
	...rows,
	...page.prose.split(/^(?=## )/m).map((prose) => {
		const section = { ...page, prose };
		return { anchors: anchorsOf(section), messages: spansOf(section) };
	}),
];

test('an error that links to docs/troubleshooting.md leads to a row or a section that quotes its message', () => {
	const linked = messages.filter(({ topic }) => topic !== undefined);
	expect(linked.length).toBeGreaterThan(30);
	const elsewhere = linked.filter(
		(message) =>
			!targets.some(
				({ anchors, messages }) =>
					anchors.includes(message.topic ?? '') && messages.some((name) => isNameOf(name, message)),
			),
	);
	expect(elsewhere).toEqual([]);
});

test('an error that does not link to docs/troubleshooting.md says what to do', () => {
	const alone = messages.filter(({ topic, remedies }) => remedies && topic === undefined);
	expect(alone.length).toBeGreaterThan(100);
	const wordless = alone.filter(({ remedies = [] }) => remedies.some((text) => !text.trim()));
	expect(
		wordless.map(
			({ text, place }) =>
				`${place} says "${text}", but not what to do: add this, or add a row to docs/troubleshooting.md`,
		),
	).toEqual([]);
});

test('the tables of messages in the user documentation contain only messages that are in the code', () => {
	const names = rows.flatMap(({ messages }) => messages);
	expect(names.length).toBeGreaterThan(50);
	expect(names.filter((name) => !messages.some((message) => isNameOf(name, message)))).toEqual([]);
});

test('every message in these tables occurs in a test', () => {
	const files = filesIn(path.join(root, 'test')).filter(
		(file) => file.endsWith('.ts') && !file.startsWith('docs/'),
	);
	const tests = files.map((file) => textOfFile(`test/${file}`).replaceAll("\\'", "'")).join('\n');
	// The tests contain values instead of each `…`, so search for the longest text between them.
	const longest = (name: string) =>
		name.split(/:? ?…:? ?|: /).reduce((one, other) => (other.length > one.length ? other : one));
	const untested = rows
		.flatMap(({ messages }) => messages)
		.filter((name) => !tests.includes(longest(name)));
	expect(untested).toEqual([]);
});

test(`${anchorsFile} lists the anchors in docs/troubleshooting.md (to update it, run "npm run generate -- anchors")`, () => {
	expect(textOfFile(anchorsFile)).toBe(anchorList());
});

test('every anchor in docs/troubleshooting.md is unique and is linked from an error or a page', () => {
	const ids = idsOf(page);
	expect(ids.length).toBeGreaterThan(20);
	expect([...new Set(ids)].sort()).toEqual([...ids].sort());
	const linked = readPages().flatMap(targetsOf);
	const files = filesIn(path.join(root, 'nodes')).map((file) => `nodes/${file}`);
	const code = files
		.filter((file) => file !== anchorsFile)
		.map(textOfFile)
		.join('\n');
	const unused = ids.filter(
		(id) => !code.includes(`'${id}'`) && !linked.some((target) => target.endsWith(`#${id}`)),
	);
	expect(unused).toEqual([]);
});

test('the messages quoted in the user documentation match the code', () => {
	const shipped = ['nodes', 'credentials'].flatMap((folder) =>
		filesIn(path.join(root, folder)).map((file) => path.join(root, folder, file)),
	);
	const code = shipped
		.filter((file) => file.endsWith('.ts'))
		.map((file) => readFileSync(file, 'utf8').replaceAll("\\'", "'").replaceAll(/\s+/g, ' '))
		.join(' ');
	const quotes = readPages()
		.filter(({ file }) => /^docs\/[^/]+$/.test(file))
		.flatMap(({ file, prose }) =>
			[
				...prose.matchAll(
					/\b(?:reads?|says?|[Ii]f|message is|(?:begins?|continues|ends) with) `([A-Z][^`]{15,})`/g,
				),
			].map(([, quote = '']) => ({
				file,
				quote,
			})),
		);
	expect(quotes.length).toBeGreaterThan(3);
	// The numbers and names in a quote can differ from those in the code, so only the text between them is
	// compared.
	const wordsIn = (quote: string) =>
		quote
			.split(/…|\d+|"[^"]*"|: /)
			.map((part) => part.replaceAll(/^[\s,.()]+|[\s,.()]+$/g, ''))
			.filter((part) => part.split(' ').length >= 4);
	const outdated = quotes.filter(({ quote }) =>
		wordsIn(quote).some((part) => !code.includes(part)),
	);
	expect(outdated).toEqual([]);
});
