import type { GenericValue, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { listOf, objectOf, textOf } from '../../nodes/SignVerify/util/values';
import { allExamples } from '../support/exampleFiles';
import { evaluate } from '../support/parameters';

// Names, titles, and error messages come from outside, so a page or an email in HTML must show them as text. All
// examples escape them in the same way, and remove nothing: <b> becomes &lt;b>. The code of approval-before-sending,
// which builders adapt, has a test of its own.

/** The parameters that n8n shows as HTML. It escapes the titles and the labels of a page itself. */
const htmlIn: Record<string, (parameters: INodeParameters) => unknown[]> = {
	'n8n-nodes-base.form': ({ completionMessage, responseText, options }) => [
		...[completionMessage, responseText],
		objectOf(options).formDescription,
	],
	'n8n-nodes-base.formTrigger': ({ formDescription }) => [formDescription],
	'n8n-nodes-base.emailSend': ({ html }) => [html],
};

interface Shown {
	example: string;
	node: string;
	expression: string;
	/** The fields that the example's Edit Fields nodes write, and their expressions. */
	written: Array<[field: string, expression: string]>;
}

const writtenIn = (nodes: INode[]): Shown['written'] =>
	nodes
		.filter(({ type }) => type === 'n8n-nodes-base.set')
		.flatMap(({ parameters }) => listOf(objectOf(parameters.assignments).assignments))
		.map(objectOf)
		.map(({ name, value }) => [textOf(name), textOf(value)]);

const shown: Shown[] = allExamples.flatMap(({ name: example, workflow: { nodes } }) =>
	nodes.flatMap(({ name: node, type, parameters }: INode) =>
		(htmlIn[type]?.(parameters) ?? [])
			.map(textOf)
			.filter((text) => text.startsWith('='))
			.map((expression) => ({ example, node, expression, written: writtenIn(nodes) })),
	),
);

/** A text from outside in a page's HTML, and in a link. */
const markup = {
	text: { given: '<iframe src="//evil.example"></iframe> & &lt;', escaped: '', plain: 'Ana' },
	link: { given: 'https://a.example/"><iframe>', escaped: '', plain: 'https://a.example/' },
};
markup.text.escaped = markup.text.given.replaceAll('<', '&lt;');
markup.link.escaped = markup.link.given.replaceAll('"', '%22');

const isLink = (name: string) => /(?:url|link)$/i.test(name);

/** An item in which each field that an expression reads, at whatever depth, contains a text. */
function itemOf(expression: string, textIn: (name: string) => string): IDataObject {
	const names = [...expression.matchAll(/\.(\w+)|\['([^']+)'\]/g)].map(
		([, name, quoted]) => name ?? quoted ?? '',
	);
	const texts = Object.fromEntries(names.map((name) => [name, textIn(name)]));
	return { ...texts, person: { ...texts }, error: { ...texts } };
}

/** Values that make the expressions show something else. */
const variants: IDataObject[] = [
	{},
	{ outcome: 'sent' },
	{ status: 'Sent' },
	{ note: undefined },
	{ error: undefined },
	{ documentId: '' },
	{ name: null, email: null, title: null },
];

/** Evaluates an expression after every other node has run, and has returned the same item. */
function evaluated(expression: string, item: IDataObject): GenericValue {
	const ofItem = expression
		.replaceAll(/\$\('[^']*'\)\.(?:item|first\(\))\.json/g, '$json')
		.replaceAll(/\$\('[^']*'\)\.isExecuted/g, 'true');
	return evaluate(ofItem, item) as GenericValue;
}

function resultOf({ expression, written }: Shown, kind: 'given' | 'plain', variant: IDataObject) {
	const expressions = [expression, ...written.map(([, value]) => value)];
	const item = {
		...itemOf(expressions.join(), (name) => markup[isLink(name) ? 'link' : 'text'][kind]),
		...variant,
	};
	const isRead = ([field]: [string, string]) => expression.includes(field);
	const fields: IDataObject = {};
	for (const [field, value] of written.filter(isRead)) fields[field] = evaluated(value, item);
	return String(evaluated(expression, { ...item, ...fields }));
}

test('Some examples show texts from outside in HTML', () => {
	expect(new Set(shown.map(({ example }) => example)).size).toBeGreaterThan(5);
});

test.each(shown)('$example shows a text from outside as text: $node', (one) => {
	for (const variant of variants) {
		const result = Object.values(markup).reduce(
			(text, { escaped, plain }) => text.replaceAll(escaped, plain),
			resultOf(one, 'given', variant),
		);
		expect(result).toBe(resultOf(one, 'plain', variant));
	}
});
