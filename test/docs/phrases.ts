/** A phrase that confused readers, and what to write instead. */
export interface Phrase {
	not: RegExp;
	but: string;
}

/** A sentence or an item of a list begins here. */
const begin = /(?:^|[.:!?|] +|^[-*] )/.source;

/** The phrases that must not come back, on pages, in forms and in messages. */
export const phrases: Phrase[] = [
	// Literal translations of German.
	{ not: /\b(?:go|goes|going|went) on (?:with|to wait|by|until|at)\b/, but: 'continue' },
	{ not: /\bwaits? on\b(?! the)/, but: 'wait again' },
	{ not: /\b(?:for ever|as ever)\b/, but: 'forever; as usual' },
	{ not: /\bleft to you\b/, but: 'you must … yourself' },
	{ not: /\bwithout hands\b/, but: 'automatically' },
	{ not: /\bexcepted\b/, but: 'except …' },
	{ not: /\b(?:hear|hears|heard|hearing) of\b/, but: 'receive' },
	{ not: /\bbe it\b/, but: 'if' },
	{ not: /\bis just being\b/, but: 'is being' },
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
	{ not: /\blook(?:s|ed|ing)? after\b/, but: 'check; maintain' },
	{ not: /\bmend(?:s|ed|ing)?\b/, but: 'repair; fix' },
	{ not: /\banew\b/, but: 'again' },
	{ not: /\b(?:tried|tries|try|trying) again\b/, but: 'retry' },
	{ not: /\bat hand\b/, but: 'available' },
	{ not: /(?<!by )\bhand(?:s|ed)? (?:it|them|in|over|on)\b/, but: 'give; pass' },
	{ not: /\bon the way\b/, but: 'meanwhile, or leave it out' },
	{ not: /\bin one go\b/, but: 'at once' },
	{ not: /\bunder way\b/, but: 'running' },
	{ not: /\bone behind the other\b/, but: 'one after another' },
	{ not: /\b(?:unknown|whose) fate\b/, but: 'may have been created' },
	{ not: /\bhonestly\b/, but: 'leave it out' },
	{ not: /\bby (?:the node's|its) own doing\b/, but: 'the node itself' },
	{ not: /\bunless you would rather not\b/, but: 'unless you ask us not to' },
	{ not: /\btakes nothing from this\b/, but: 'not allowed' },
	{ not: /\bthe time was up\b/, but: 'the time-out was reached' },
	// Words that have a more common one.
	{ not: /\bwhoever\b/i, but: 'everyone who; the person who' },
	{ not: /\b(?:hence|thus|thereof|thereby|herewith|wherein)\b/i, but: 'so; therefore' },
	{ not: /\bstands? (?:in|on|at|there|twice|for itself)\b/, but: 'is in …' },
	{ not: /(?<!\w)[Ss]ome \d/, but: 'about …' },
	// A sentence turned round.
	{ not: new RegExp(`${begin}(?:Should|Had|Were) (?:it|the|a|you|they|an|this)\\b`), but: 'If …' },
	{ not: new RegExp(`${begin}(?:Is|Are) (?:it|the|its|their|there|a)\\b[^.?]*, `), but: 'If …' },
	{ not: new RegExp(`${begin}(?:Whoever|Whatever) `), but: 'turn the sentence round' },
	{ not: /\bso that\b/, but: 'and; because; to' },
	// One word for one thing.
	{ not: /\b(?:webhook|callback|registered|resume|public) address(?:es)?\b/i, but: 'URL' },
	{ not: /\bcallback (?:secret|URL)\b/i, but: 'webhook secret; webhook URL' },
	{ not: /\bsignees?\b|\bsigners?\b/i, but: 'signatory' },
];

/** The phrases that a text has, each with its surroundings and what to write instead. */
export function findPhrases(text: string): string[] {
	const line = text.replace(/[ \t]*\n(?![\n|#>-])[ \t]*/g, ' ');
	return phrases.flatMap(({ not, but }) =>
		[...line.matchAll(new RegExp(not.source, `${not.flags}gm`))].map(
			({ 0: found, index }) =>
				`"…${line.slice(Math.max(0, index - 30), index + found.length + 20).trim()}…": ${but}`,
		),
	);
}
