import { anchorsOf, readPage, spansOf } from './markdown';
import { messagesOfCode, type Message } from './messages';

const file = 'docs/errors.md';
const page = readPage(file);

/** Whether a text is one that the pattern stands for, when `…` stands for anything. */
function fits(text: string, pattern: string): boolean {
	const parts = pattern.split(/…+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`).test(text);
}

/** Whether a name on the page is a message, or its beginning. */
function isNameOf(name: string, { text }: Message): boolean {
	// The page leaves out the name of the field, and values; `…` in the code stands for what it looks up.
	const bare = text.replace(/^(?:[^:]*: )+/, '').replace(/"[^"]*" ?/g, '');
	return [text, bare].some((each) => fits(each, `${name}…`) || fits(name, each));
}

/** A heading of the page with the text below it. */
interface Part {
	/** Of its heading, and those within it. */
	anchors: string[];
	/** The heading, and the words of a message between backticks. */
	names: string[];
	text: string;
}

/** The parts that begin with a heading of this level or a higher one. */
function partsOf(level: number): Part[] {
	const texts = page.prose.split(new RegExp(`^(?=#{2,${level}} )`, 'm')).slice(1);
	return texts.map((prose) => {
		const [, heading = ''] = /^#+ (.+)/.exec(prose) ?? [];
		const headings = [...prose.matchAll(/^### (.+)$/gm)].map(([, name = '']) => name);
		const spans = spansOf({ ...page, prose }).filter((span) => span.length > 10);
		return {
			anchors: anchorsOf({ ...page, prose }),
			names: [heading, ...headings, ...spans],
			text: prose,
		};
	});
}

let messages: Message[];
const sections = partsOf(2);
const entries = partsOf(3).filter(({ text }) => text.startsWith('### '));
const answers = spansOf(readPage('docs/dev/architecture.md'));

beforeAll(() => {
	messages = messagesOfCode();
}, 120_000);

test('each message that the code can make is on the page of errors, or is an answer to the service', () => {
	const names = [...sections.flatMap(({ names }) => names), ...answers];
	const missing = messages.filter((message) => !names.some((name) => isNameOf(name, message)));
	expect(
		missing.map(({ text, place }) => `${place} says "${text}": explain it in docs/errors.md`),
	).toEqual([]);
});

test('the page of errors explains no message that the code cannot make', () => {
	expect(entries.length).toBeGreaterThan(80);
	// These two are about words of other systems.
	const others = ['messages-of-n8n', 'reasons-for-a-missing-file'];
	const unknown = entries.filter(
		({ anchors: [anchor = ''], names }) =>
			!others.includes(anchor) &&
			!messages.some((message) => names.some((name) => isNameOf(name, message))),
	);
	expect(unknown).toEqual([]);
	const also = entries.flatMap(({ text }) => [...text.matchAll(/Also `([^`]+)`/g)]);
	const wrong = also
		.map(([, name = '']) => name)
		.filter((name) => !messages.some((message) => isNameOf(name, message)));
	expect(wrong).toEqual([]);
});

test("each message is below the heading that its error's link leads to", () => {
	const linked = messages.filter(({ topic }) => topic !== undefined);
	expect(linked.length).toBeGreaterThan(80);
	const elsewhere = linked.filter((message) => {
		const parts = [...sections, ...entries].filter(({ anchors }) =>
			anchors.includes(message.topic ?? ''),
		);
		return !parts.some(({ names }) => names.some((name) => isNameOf(name, message)));
	});
	expect(elsewhere).toEqual([]);
});
