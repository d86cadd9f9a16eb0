import { action } from '../support/contexts';
import { allExamples } from '../support/exampleFiles';
import { textOfFile } from '../support/files';
import { readPages } from './markdown';

// People look for the words in bold in the node's form.

const field = action.description.properties.find(({ name }) => name === 'inTestRuns');
const labels = (field?.options ?? []).map(({ name }) => name);

const skill = 'skills/signverify/SKILL.md';
const texts = [
	...readPages().map(({ file, prose }) => ({ file, text: prose })),
	...allExamples.flatMap(({ file, workflow }) =>
		workflow.nodes
			.filter(({ type }) => type.endsWith('.stickyNote'))
			.map(({ parameters }) => ({ file, text: String(parameters.content) })),
	),
	{ file: skill, text: textOfFile(skill) },
];

/** "In Test Runs: Send to Me", "In Test Runs is set to Send to Me", "In Test Runs from Send Nothing to Send to Me". */
const choice =
	/In Test Runs\*\*(?:\]\([^)]*\))?(?:: ([^).]+)|(?: (?:is|set|on|to|from))+ \[?\*\*([^*]+)\*\*(?:\]\([^)]*\))?(?: to \[?\*\*([^*]+)\*\*)?)/g;

test('what pages, notes, and the skill set In Test Runs to is one of its labels', () => {
	const choices = texts.flatMap(({ file, text }) =>
		[...text.matchAll(choice)].flatMap(([, ...names]) =>
			names.filter(Boolean).map((name) => ({ file, name })),
		),
	);
	expect(choices.length).toBeGreaterThan(20);
	expect(choices.filter(({ name }) => !labels.includes(name))).toEqual([]);
});

test('no page, note, or skill contains only the end of one of its labels', () => {
	const isCut = (bold: string) =>
		labels.some((label) => label.toLowerCase().endsWith(` ${bold.toLowerCase()}`));
	const cut = texts.flatMap(({ file, text }) =>
		[...text.matchAll(/\*\*([^*\n]+)\*\*/g)].flatMap(([, bold = '']) =>
			isCut(bold) ? [{ file, bold }] : [],
		),
	);
	expect(cut).toEqual([]);
});
