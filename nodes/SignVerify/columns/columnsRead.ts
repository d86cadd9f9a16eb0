import { ExpressionParser, isExpression } from 'n8n-workflow';
import type { Problem } from '../errors/problem';
import type { EnteredText } from '../form/field';
import { isUnfilled } from '../form/valueReaders';
import type { ItemContext } from '../item/item';
import { isFailedResult } from '../text/contentMistakes';
import type { Finding, Severity } from '../text/finding';
import { settleSync } from '../util/async';
import { quoted } from '../util/redact';
import { seenText } from '../util/text';
import { isEmpty, listOf, textOf } from '../util/values';
import { listOfColumns } from './columnNames';
import { columnsOfRun, isSpelledLikeColumn } from './columnMatching';
import { columnProblems } from './columnProblems';

/** One step from an object to a property: `.date`, `?.date`, `['Start date']`. */
const step = (group: '(' | '(?:') =>
	String.raw`(?:\??\.${group}[\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$(])|(?:\?\.)?\[(?:'${group}[^'\\]{1,200})'|"${group}[^"\\]{1,200})")\])`;

const otherNode = String.raw`\$\((?:'[^'\\]{1,200}'|"[^"\\]{1,200}")\)\.item\.json`;

/**
 * Finds the parts of an expression that read a column: `$json.date`, `$json['Start date'].day`,
 * `$('Form').item.json.date`.
 */
const columnRead = new RegExp(`(?:(\\$json)|${otherNode})${step('(')}${step('(?:')}*`, 'gu');

/** Calls of a column's methods: `.trim()`, `?.slice(0, 3)`. n8n leaves them out if the column is missing. */
const calls = String.raw`(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*\([^(){}]*\))*`;

/** Finds the parts of an expression that are only a column: `{{ $json.date }}`, `{{ $json.name.trim() }}`. */
const columnPart = new RegExp(`\\{\\{\\s*${columnRead.source}${calls}\\s*\\}\\}`, 'gu');

/** An expression with one of these uses another value if a column has none. */
const alternative = /\?\?|\|\||\?(?![.?])/;

/** A text in an expression. Its signs mean nothing: `$json['Any pets?']`. */
const filledText = /(['"`])[^'"`]+\1/g;

/** A part with one of these may be empty by right: `{{ $json.pets ? ' with pets' : '' }}`. */
const mayBeEmpty = new RegExp(`${alternative.source}|&&|''|""|\`\``);

const maxShownColumns = 3;

function itemColumnsIn(saved: string, pattern: RegExp): Array<{ part: string; name: string }> {
	return [...saved.matchAll(pattern)].flatMap(([part, isOwn, ...names]) =>
		isOwn ? [{ part, name: names.join('') }] : [],
	);
}

export function readsOwnColumn(saved: unknown): boolean {
	return columnsReadIn(saved).length > 0;
}

/** Returns the item's columns that a saved parameter, or anything in it, reads. */
export function columnsReadIn(saved: unknown): string[] {
	if (typeof saved === 'object' && saved !== null) {
		return Object.values(saved).flatMap(columnsReadIn);
	}
	if (!isExpression(saved)) return [];
	return itemColumnsIn(saved, columnRead).map(({ name }) => name);
}

/** Why an expression returned nothing. Its problem is the rest of a sentence ({@link because}). */
interface MissingColumn extends Problem {
	name: string;
}

/** The remedy is then about the column. */
export function because(
	{ problem }: Pick<Problem, 'problem'>,
	{ problem: reason, remedy }: MissingColumn,
): Problem {
	return { problem: `${problem}, because ${reason}`, remedy };
}

/**
 * Finds the first column that an expression reads although no item of the run has it. Some nodes leave out a
 * row's empty cells, so a column that only this item lacks is not missing.
 */
export function missingColumn(item: ItemContext, saved: unknown): MissingColumn | undefined {
	if (!isExpression(saved)) return undefined;
	const names = columnsReadIn(saved);
	const columns = columnsOfRun(item);
	if (alternative.test(saved) && names.some((name) => columns.has(name))) return undefined;
	return missingAmong(item, names);
}

/**
 * Checks an expression of several parts. If a part is a column that no item of the run has, with or without
 * calls of its methods, n8n leaves it out without an error, so the rest would be sent as if it were the whole
 * text.
 * @n8n
 */
export function mistakeInParts(
	item: ItemContext,
	saved: unknown,
	severity: Severity,
): Finding | undefined {
	if (!isExpression(saved)) return undefined;
	const columns = columnsOfRun(item);
	const parts = itemColumnsIn(saved, columnPart).filter(
		({ part, name }) =>
			part !== saved.slice(1).trim() && !columns.has(name) && isEmptyPart(item, part),
	);
	const missing = missingAmong(
		item,
		parts.map(({ name }) => name),
	);
	if (!missing) return undefined;
	const { part = '' } = parts.find(({ name }) => name === missing.name) ?? {};
	return {
		severity,
		...because(columnProblems.partMissing, missing),
		remedy: `${missing.remedy} If the cell may be empty, write ${part.replace(/\s*\}\}$/, " ?? '' }}")} instead.`,
	};
}

/**
 * Checks an expression with text beside its parts, such as `{{ $json.rent * 12 }} €`. If only that text is left, no part
 * returned a value: n8n leaves out what is empty, and NaN.
 * @n8n
 */
export function emptyParts(
	{ saved, value }: Pick<EnteredText, 'saved' | 'value'>,
	{ isOptional }: { isOptional?: boolean } = {},
): Finding | undefined {
	if (!isExpression(saved) || typeof value !== 'string') return undefined;
	const chunks = ExpressionParser.splitExpression(saved.slice(1));
	const codes = chunks.filter(({ type }) => type === 'code');
	const texts = chunks.filter(({ type }) => type === 'text');
	const rest = seenText(texts.map(({ text }) => text).join(''));
	const isAllThatIsLeft = codes.length > 0 && rest !== '' && rest === seenText(value);
	if (!isAllThatIsLeft || codes.some(({ text }) => mayBeEmpty.test(text.replace(filledText, '')))) {
		return undefined;
	}
	const mayBeMeant = isOptional || /[\p{L}\p{N}]/u.test(rest);
	return { severity: mayBeMeant ? 'warning' : 'looksWrong', ...columnProblems.partsEmpty };
}

/** Whether a part returns nothing. A method such as `isEmpty` returns a value even for a missing column. */
function isEmptyPart({ context, itemIndex }: ItemContext, part: string): boolean {
	const reading = settleSync(() => context.evaluateExpression(part, itemIndex));
	return !reading.ok || isEmpty(reading.value);
}

/**
 * Checks a text that has to differ from item to item, such as a key, for columns that are empty in this item. Without
 * their values, another item may have the same text.
 */
export function emptyColumns(item: ItemContext, saved: unknown): Finding | undefined {
	if (!isExpression(saved) || alternative.test(saved)) return undefined;
	// n8n is asked only if a cell looks empty, because that takes a good part of the time that an item takes.
	const { json } = item.input;
	const names = columnsReadIn(saved);
	const readsOthers = new RegExp(otherNode, 'u').test(saved);
	if (!readsOthers && names.every((name) => !isUnfilled(json[name]))) return undefined;
	const reads = valuesRead(item, saved);
	const empty = namesOfEmpty(reads);
	if (empty.length === 0) return undefined;
	const isAll = empty.length === reads.length && !readsAnythingElse(saved);
	const { problem, remedy } = columnProblems.emptyPart(empty[0] ?? '', isAll);
	return {
		severity: isAll ? 'wrong' : 'looksWrong',
		problem: problem + becauseEmpty(empty),
		remedy,
	};
}

/** The parts of an expression that read a column, with this item's values. */
function valuesRead(
	{ context, itemIndex }: ItemContext,
	saved: string,
): Array<{ read: string; value: unknown }> {
	return [...new Set(saved.match(columnRead))].flatMap((read) => {
		// n8n may be unable to read a column that the expression never reached, for instance one after `??`.
		const reading = settleSync(() => context.evaluateExpression(`{{ ${read} }}`, itemIndex));
		return reading.ok ? [{ read, value: reading.value }] : [];
	});
}

/** Whether an expression reads anything besides columns, such as `$now` or another node's first item. */
function readsAnythingElse(saved: string): boolean {
	return /\$(?!\{)/.test(saved.replace(columnRead, ''));
}

function namesOfEmpty(reads: Array<{ read: string; value: unknown }>): string[] {
	return reads.filter(({ value }) => isUnfilled(value)).map(({ read }) => read);
}

function becauseEmpty(reads: string[]): string {
	const shown = reads.slice(0, maxShownColumns).map((read) => `${read} is empty`);
	return shown.length > 0 ? `, because ${shown.join(' and ')}` : '';
}

function missingAmong(item: ItemContext, names: string[]): MissingColumn | undefined {
	const ofRun = columnsOfRun(item);
	if (names.every((name) => ofRun.has(name))) return undefined;
	// If the node is the tool of an AI agent, expressions don't read the node's input, but the agent's item.
	const read: unknown = item.context.evaluateExpression('{{ Object.keys($json) }}', item.itemIndex);
	const columns = new Set([...ofRun, ...listOf(read).map(textOf)]);
	const name = names.find((wanted) => !columns.has(wanted));
	if (name === undefined) return undefined;
	const row = isSpelledLikeColumn(item, name)
		? columnProblems.otherCharacters(name)
		: columnProblems.missing(name, listOfColumns(columns));
	return { name, ...row };
}

/**
 * Explains a mistake in the text that an expression returned by the columns that it reads. For instance, "Invalid
 * DateTime" alone does not show which string could not be read as a date.
 */
export function explained(
	item: ItemContext,
	mistake: Finding | undefined,
	{ saved, text }: { saved: unknown; text: string },
): Finding | undefined {
	if (!mistake || !isExpression(saved) || !isFailedResult(text)) return mistake;
	const missing = missingColumn(item, saved);
	if (missing) return { ...mistake, ...because(mistake, missing) };
	return { ...mistake, problem: mistake.problem + reasonInValues(item, saved) };
}

/**
 * @returns The rest of a sentence, such as `, because $json.date is "soon"`; '' if the expression reads no
 * column.
 */
function reasonInValues(item: ItemContext, saved: string): string {
	const parts = valuesRead(item, saved)
		.slice(0, maxShownColumns)
		.map(({ read, value }) => `${read} ${valueInWords(value)}`);
	return parts.length > 0 ? `, because ${parts.join(' and ')}` : '';
}

function valueInWords(value: unknown): string {
	if (isEmpty(value)) return 'is empty';
	if (Array.isArray(value)) return 'is a list';
	return typeof value === 'object' ? 'is an object' : `is ${quoted(textOf(value))}`;
}
