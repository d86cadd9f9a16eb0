import type { TSchema } from '@sinclair/typebox';
import type { IDataObject } from 'n8n-workflow';

import { CONTRACT, type EndpointName } from '../../sandbox/contract/endpoints';

/** Where a text stands in an answer; 0 for any entry of a list. */
export type Path = Array<string | 0>;

/** What somebody at the service, or the service itself, may put in the place of a text. */
export const hostileValues: Record<string, unknown> = {
	expression: '={{ 1+1 }}',
	prototype: '__proto__',
	markup: '<img src=x onerror=1>',
	// No part of it twice, as in a key.
	'1 MB': Array.from({ length: 125_000 }, (_, index) => `${index}`.padStart(8, '-')).join(''),
	'U+202E': 'a\u202eb',
	NUL: 'a\0b',
	object: { a: 1 },
	list: ['a', 'b'],
	null: null,
};

/** The paths of all texts in the good answers of an endpoint. */
export function textsOf(endpoint: EndpointName): Path[] {
	const visit = (schema: TSchema, path: Path): Path[] => {
		const { type, const: constant, anyOf = [], properties = {}, items } = schema;
		if (type === 'string' || typeof constant === 'string') return [path];
		return [
			...(anyOf as TSchema[]).flatMap((each) => visit(each, path)),
			...Object.entries(properties as Record<string, TSchema>).flatMap(([name, each]) =>
				visit(each, [...path, name]),
			),
			...(items ? visit(items as TSchema, [...path, 0]) : []),
		];
	};
	const found = CONTRACT[endpoint].answers.flatMap((schema) => visit(schema, []));
	return [...new Map(found.map((path) => [path.join('.'), path])).values()];
}

/** Puts a value into a body, and what is missing on the way to it. */
export function put(body: object, path: Path, value: unknown): void {
	let at = body as Record<string | 0, unknown>;
	for (const [index, step] of path.slice(0, -1).entries()) {
		if (typeof at[step] !== 'object' || at[step] === null) {
			at[step] = path[index + 1] === 0 ? [] : {};
		}
		at = at[step] as typeof at;
	}
	at[path.at(-1) ?? ''] = value;
}

/** The first list on a path into an answer, and the path within one of its entries. */
function listAt(body: object, path: Path): { list: object[]; inner: Path } | undefined {
	const end = path.indexOf(0);
	if (end < 0) return undefined;
	let list: unknown = body;
	for (const step of path.slice(0, end)) list = (list as Record<string, unknown>)[step];
	return { list: list as object[], inner: path.slice(end + 1) };
}

/** The texts of an entry itself that no other entry has, such as its ID: a form names an entry by them. */
function ownTexts(entry: object, list: object[]): Array<[string, string]> {
	const others = list
		.filter((each) => each !== entry)
		.map((each) => Object.values<unknown>({ ...each }));
	return Object.entries(entry).filter(
		([, value]) =>
			typeof value === 'string' && value !== '' && !others.some((each) => each.includes(value)),
	) as Array<[string, string]>;
}

/** An answer with a place for a value, and what must be shown whatever stands there. */
export interface Case {
	where: string;
	body: object;
	path: Path;
	/** Of what is shown for the answer as it is. */
	neighbours(entries: unknown[]): unknown[];
	/** How many of them are about the place, and may change. */
	own: number;
}

/**
 * The places for a value at a path of an answer: in what was chosen, and in a list also in what was not.
 * @param forms What is filled in, for each item.
 */
export function casesOf(
	endpoint: EndpointName,
	path: Path,
	answer: object,
	{ forms, isForEditor }: { forms: IDataObject[]; isForEditor: boolean },
): Case[] {
	const where = `${endpoint} ${path.join('.')}`;
	// What an ID in the path names is one thing: its lists are parts of it, and nobody chooses from them.
	const isList = endpoint.startsWith('GET') && !endpoint.includes(':');
	const found = isList ? listAt(answer, path) : undefined;
	// Each item has a call of its own, and the first one gets this answer; all share the token.
	const others = endpoint === 'POST /access/token' ? [] : forms.slice(1);
	const rest = (entries: unknown[]) => (others.length ? entries.slice(1) : []);
	if (!found) return [{ where, body: answer, path, neighbours: rest, own: 0 }];

	const { list, inner } = found;
	const names = (form: unknown, entry: object) =>
		ownTexts(entry, list).some(([, text]) => JSON.stringify(form).includes(JSON.stringify(text)));
	const chosen = list.find((entry) => names(forms[0], entry)) ?? list[0] ?? {};
	const at = path.slice(0, path.indexOf(0));
	const withFirst = (entry: object) => {
		const body = structuredClone(answer);
		put(body, at, [entry, ...list.filter((each) => each !== entry)]);
		return body;
	};
	const texts = ownTexts(chosen, list).map(([name]) => [name, `another ${name}`] as const);
	const stranger = { ...structuredClone(chosen), ...Object.fromEntries(texts) };
	const isChoice = inner.length === 1 && names(forms[0], chosen);
	const untouched = (entries: unknown[]) =>
		isForEditor
			? entries.filter(() => !isChoice)
			: entries.filter((entry, index) => !names([forms[index], entry], chosen));
	return [
		{
			where: `${where} of another`,
			body: withFirst(stranger),
			path,
			neighbours: (entries) => entries,
			own: 0,
		},
		// In the editor, a role has two entries.
		{
			where,
			body: withFirst(chosen),
			path,
			neighbours: untouched,
			own: isForEditor ? 2 : 0,
		},
	];
}
