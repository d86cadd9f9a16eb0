import type { INodeTypeDescription } from 'n8n-workflow';

/** What n8n's AI workflow builder reads of a node. An n8n that does not know it ignores it. */
export type BuilderHint = NonNullable<INodeTypeDescription['builderHint']>;

/** A workflow for n8n's AI workflow builder to copy from, in the language that it writes. */
export interface BuilderPattern {
	/** The nodes in their order, with arrows between. */
	title: string;
	/** The declarations of the nodes, one for each name in `chain`. */
	nodes: string[];
	/** The names that are connected, one after another; the first one starts the workflow. */
	chain: string[];
}

/** Writes patterns as n8n's own nodes do (`extraTypeDefContent`). */
export function patternsText(patterns: BuilderPattern[]): string {
	const texts = patterns.map(({ title, nodes, chain: [first = '', ...rest] }) =>
		[
			`<pattern title="${title}">`,
			...nodes,
			`export default workflow('id', '${title}').add(${first})${rest.map((each) => `.to(${each})`).join('')};`,
			'</pattern>',
		].join('\n'),
	);
	return ['<patterns>', ...texts, '</patterns>'].join('\n');
}

/** Declares one of our nodes, in its newest version. */
export function ourNode(
	kind: 'node' | 'trigger',
	variable: string,
	name: string,
	parameters: string,
): string {
	const type = kind === 'trigger' ? 'signVerifyTrigger' : 'signVerify';
	return `const ${variable} = ${kind}({ type: 'n8n-nodes-signverify.${type}', version: 1.1, config: { name: '${name}', parameters: { ${parameters} }, credentials: { signVerifyApi: newCredential('SignVerify account') } } });`;
}

/** Declares an If node that asks whether an expression is true. */
export function ifNode(variable: string, name: string, expression: string): string {
	return `const ${variable} = node({ type: 'n8n-nodes-base.if', version: 2.2, config: { name: '${name}', parameters: { conditions: { options: { caseSensitive: true, typeValidation: 'strict', version: 2 }, combinator: 'and', conditions: [{ id: '1', leftValue: expr('{{ ${expression} }}'), rightValue: '', operator: { type: 'boolean', operation: 'true', singleValue: true } }] } } } });`;
}
