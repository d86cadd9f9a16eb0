import type { Root } from 'nlcst';

/** Shorter ones are headings and labels. */
const minWords = 5;

/** A sentence with more words than this has more than one idea. */
const longest = 25;

/** How a page reads. */
export interface Prose {
	/** How many sentences there are. */
	sentences: number;
	/** Words in a sentence, on average. */
	words: number;
	/** The sentences that most formulas of readability call too hard for a reader of 16. */
	hard: string[];
	/** The sentences with more than 25 words. */
	long: string[];
}

/** Measures the sentences of a page in Markdown, without its code and its tables. */
export async function measureProse(markdown: string): Promise<Prose> {
	const { unified, remarkParse, remarkGfm, remarkRetext, ...retext } = await libraries();
	const lengths: number[] = [];
	const long: string[] = [];
	const noteLengths = () => (tree: Root) => {
		retext.visit(tree, 'SentenceNode', (sentence) => {
			let words = 0;
			retext.visit(sentence, 'WordNode', () => void words++);
			if (words >= minWords) lengths.push(words);
			if (words > longest) long.push(onOneLine(retext.toString(sentence)));
		});
	};
	const page = unified()
		.use(remarkParse)
		.use(remarkGfm)
		.use(remarkRetext, new retext.ParseEnglish())
		.use(noteLengths)
		.use(retext.readability, { age: 16, minWords });
	const file = new retext.VFile(withCapitals(markdown));
	await page.run(page.parse(file), file);
	const sum = lengths.reduce((all, each) => all + each, 0);
	return {
		sentences: lengths.length,
		words: sum / Math.max(1, lengths.length),
		hard: file.messages.map(({ actual }) => onOneLine(actual ?? '')),
		long,
	};
}

/** These packages are ES modules, which a CommonJS module can load only like this. */
async function libraries() {
	const [{ unified }, { visit }, { toString }, { VFile }, { ParseEnglish }] = await Promise.all([
		import('unified'),
		import('unist-util-visit'),
		import('nlcst-to-string'),
		import('vfile'),
		import('parse-english'),
	]);
	const [remarkParse, remarkGfm, remarkRetext, readability] = await Promise.all([
		import('remark-parse'),
		import('remark-gfm'),
		import('remark-retext'),
		import('retext-readability'),
	]);
	return {
		unified,
		visit,
		toString,
		VFile,
		ParseEnglish,
		remarkParse: remarkParse.default,
		remarkGfm: remarkGfm.default,
		remarkRetext: remarkRetext.default,
		readability: readability.default,
	};
}

/**
 * The parser joins two sentences when the second begins with a small letter or with code. Here,
 * many begin with n8n, a link or the name of a file.
 */
function withCapitals(markdown: string): string {
	const end = '([.!?]["*)]*\\s+)';
	return markdown
		.replace(new RegExp(`${end}(n8n\\b|\\[[a-z])`, 'g'), (begin) => begin.toUpperCase())
		.replace(new RegExp(`${end}\`[^\`\\n]+\``, 'g'), '$1This');
}

function onOneLine(text: string): string {
	return text.replace(/\s+/g, ' ');
}
