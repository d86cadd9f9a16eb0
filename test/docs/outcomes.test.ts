import { outcomes } from '../../nodes/SignVerify/item/outcome';
import { textOfFile } from '../support/files';
import { readPage } from './markdown';

// The table in nodes/SignVerify/item/outcome.ts decides. The pages, the skill, and the examples name the same words.
const rows = Object.entries(outcomes).map(([word, row]) => ({ word, ...row }));
const wordsOf = (found: typeof rows) => found.map(({ word }) => word).sort();

const ofWaits = rows.filter(({ endsWait }) => endsWait);
const withoutWait = rows.filter(({ endsWait }) => !endsWait);
/** An item that failed contains only `error`, so its outcome isn't a field of its own. */
const unsent = withoutWait.filter(({ word, wasSent }) => wasSent !== 'yes' && word !== 'failed');
const sent = withoutWait.filter(({ wasSent }) => wasSent === 'yes');

/** The outcomes among the words in backticks, each once. */
const outcomesIn = (text: string) => {
	const names = new Set([...text.matchAll(/`(\w+)`/g)].map(([, name]) => name));
	return wordsOf(rows.filter(({ word }) => names.has(word)));
};

function sectionOf(file: string, heading: string): string {
	const sections = readPage(file).prose.split(/\n(?=## )/);
	const found = sections.find((section) => section.startsWith(`## ${heading}\n`));
	if (found === undefined) throw new Error(`${file} needs the section "## ${heading}"`);
	return found;
}

/** The column `outcome` of a section's table. */
function columnIn(section: string): string {
	const lines = section.split('\n').filter((line) => line.startsWith('|'));
	const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
	const column = cells[0]?.indexOf('`outcome`') ?? -1;
	return cells.map((row) => row[column] ?? '').join('\n');
}

const lineIn = (text: string, beginning: string) =>
	text.split('\n').find((line) => line.startsWith(beginning)) ?? '';

test('docs/sending.md explains each outcome that an item has without a wait', () => {
	expect(outcomesIn(columnIn(sectionOf('docs/sending.md', 'Output')))).toEqual(
		wordsOf(withoutWait),
	);
});

test('docs/waiting.md explains each outcome of a wait, and each of an item that waits for nothing', () => {
	const ofDocuments = columnIn(
		sectionOf('docs/waiting.md', 'Output of Send for Signature and Wait'),
	);
	const ofIdentities = lineIn(
		sectionOf('docs/waiting.md', 'Output of Wait Until Verified'),
		'- [`outcome`]',
	);
	expect(outcomesIn(ofIdentities)).not.toEqual([]);
	expect(outcomesIn(ofDocuments + ofIdentities)).toEqual(wordsOf([...ofWaits, ...unsent]));
});

test("docs/troubleshooting.md names each outcome of an item that wasn't sent", () => {
	const row = lineIn(readPage('docs/troubleshooting.md').prose, '| The outcome ');
	expect(outcomesIn(row)).toEqual(wordsOf(unsent));
});

test.each([
	'nodes/SignVerify/builderHints.ts',
	'skills/signverify/SKILL.md',
	'examples/identity-then-contract.json',
])('%s continues with the outcomes of an item that was sent', (file) => {
	const [, list = ''] = /\[([\w', ]+)\]\.includes\(\$json\.outcome\)/.exec(textOfFile(file)) ?? [];
	expect(list.replaceAll("'", '').split(', ').sort()).toEqual(wordsOf(sent));
});
