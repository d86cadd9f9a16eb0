import ts from 'typescript';

import { headingOf } from '../../nodes/SignVerify/http/errors';
import { joined, open, Source } from './source';

/** A text that the code can make; `…` stands for what is only known when it runs. */
export interface Message {
	text: string;
	/** `file:line` of the place that makes it. */
	place: string;
	/** The heading of docs/errors.md that its link leads to; absent where there is no link, or one of several. */
	topic?: string;
}

/** Properties that carry words for people. */
const properties = ['message', 'problem', 'reason', 'emptyFieldsNotice'];

/** Methods that take words for people. */
const methods = ['hint', 'logger.warn', 'logger.error'];

/**
 * Every text that the nodes and the credential can put into an error, a warning, the report of a
 * file that is missing or an item that was skipped, n8n's log, or the answer to a notification.
 */
export function messagesOfCode(): Message[] {
	const source = new Source();
	const found = new Map<string, Message>();
	source.each((node) => {
		for (const text of textsAt(source, node)) {
			// What other people's errors say can be anything.
			const topic = topicAt(source, node, text);
			const key = `${topic}: ${text}`;
			if (text.replaceAll(open, '').trim().length < 3 || found.has(key)) continue;
			found.set(key, { text, place: source.placeOf(node), ...(topic ? { topic } : {}) });
		}
	});
	return [...found.values()];
}

function textsAt(source: Source, node: ts.Node): string[] {
	if (ts.isNewExpression(node) && node.expression.getText() === 'InputError') {
		const [field, problem] = node.arguments ?? [];
		if (!field || !problem) return [];
		return joined(source.textsOf(field), [': '], source.textsOf(problem));
	}
	if (isDescribedError(node)) {
		const [message] = node.arguments ?? [];
		return message ? source.textsOf(message) : [];
	}
	if (ts.isPropertyAssignment(node) && properties.includes(node.name.getText())) {
		return source.textsOf(node.initializer);
	}
	if (ts.isShorthandPropertyAssignment(node) && properties.includes(node.name.text)) {
		return source.textsOfShorthand(node);
	}
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const called = node.expression.getText();
		const [words] = node.arguments;
		return words && methods.some((each) => called.endsWith(`.${each}`))
			? source.textsOf(words)
			: [];
	}
	return [];
}

/** The heading that the error's link leads to, where an error is made: named, or its words. */
function topicAt(source: Source, node: ts.Node, text: string): string | undefined {
	// The name of a field is no part of the heading. A value ends it, as a parenthesis does.
	const problem = ts.isNewExpression(node) ? text.replace(/^(?:[^:]*: )+/, '') : text;
	const named = (topic?: ts.Expression) =>
		topic ? onlyOf(source.textsOf(topic)) : headingOf(problem.replaceAll(open, '('));
	if (isDescribedError(node)) return named(node.arguments?.[2]);
	if (ts.isNewExpression(node)) return named(node.arguments?.[3]);
	const facts = node.parent;
	if (!ts.isObjectLiteralExpression(facts) || !isServiceError(facts.parent)) return undefined;
	const topic = facts.properties.find((each) => each.name?.getText() === 'docsAnchor');
	if (!topic) return named();
	return ts.isPropertyAssignment(topic) ? named(topic.initializer) : undefined;
}

function isDescribedError(node: ts.Node): node is ts.NewExpression {
	return ts.isNewExpression(node) && node.expression.getText() === 'DescribedError';
}

function isServiceError(node: ts.Node): boolean {
	return ts.isNewExpression(node) && node.expression.getText() === 'ServiceError';
}

function onlyOf(texts: string[]): string | undefined {
	const [only, ...others] = texts;
	return only === undefined || others.length > 0 || only.includes(open) ? undefined : only;
}
