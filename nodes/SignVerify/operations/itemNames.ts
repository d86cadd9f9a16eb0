import type { IDataObject } from 'n8n-workflow';

import { rowColumn } from '../columns/columnNames';
import type { ItemContext } from '../item/item';
import { plainText } from '../util/redact';
import { cutText } from '../util/text';
import { listOf, objectOf, textOf } from '../util/values';

/** The maximum length of a list of item numbers, in characters. */
const maxNumbersLength = 1500;

/** The maximum number of items listed by name, and of mistakes listed with each of their values. */
export const maxListedItems = 20;

const maxNamePartLength = 60;

/** How users recognize an item in a report. */
export interface ItemName {
	key?: string | undefined;
	/** The people who would get the item. */
	person?: string | undefined;
	/** The item's row in its spreadsheet, if that is known. */
	row?: string | undefined;
}

export type NamesByIndex = Readonly<Record<number, ItemName | undefined>>;

/**
 * Returns an item's row in its spreadsheet, which n8n's Google Sheets node adds to each item. Any other node
 * can add it as well.
 */
export function rowOf({ input }: ItemContext): string | undefined {
	const row = textOf(input.json[rowColumn]).trim();
	return /^[1-9]\d{0,6}$/.test(row) ? row : undefined;
}

/** Returns the people in an item's description, by name or, if there is none, by address. */
export function personIn({ signatories, email }: IDataObject): string | undefined {
	const people = listOf(signatories).map(objectOf);
	const names = people.map((person) => textOf(person.name) || textOf(person.email));
	return [...names, textOf(email)].filter(Boolean).join(' and ') || undefined;
}

export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Lists items. If each item has a key or a row, and there are at most {@link maxListedItems} items, they are named one
 * by one ("C-2, Ana Gil (row 3), C-4, Ben Ray (row 5)"). Otherwise, they are listed by number ("items 2 and 4").
 * @param written How the numbers are written, because a name stays as it is.
 */
export function listOfItems(
	indexes: number[],
	names: NamesByIndex,
	written = (numbers: string) => numbers,
): string {
	const shown = indexes.map((index) => nameOfItem(names[index], index));
	return shown.length <= maxListedItems && shown.every((name) => name !== undefined)
		? shown.join(', ')
		: written(numbersOf(indexes, names));
}

/**
 * Names an item by its key, its people and its row, because users recognize these, but not the item numbers,
 * which don't count a spreadsheet's header and its empty rows. Returns undefined for an item without a key and
 * without a row.
 */
function nameOfItem(name: ItemName | undefined, index: number): string | undefined {
	const { key, person, row } = name ?? {};
	if (!key && !row) return undefined;
	// Sanitize a text before shortening it, because a login in a URL can no longer be detected if the URL has
	// been cut off.
	const parts = [key, person].flatMap((text) =>
		text ? [cutText(plainText(text), maxNamePartLength)] : [],
	);
	const place = row ? `row ${row}` : `item ${index + 1}`;
	return parts.length > 0 ? `${parts.join(', ')} (${place})` : `Row ${row}`;
}

/** Names one of several items as an error does. */
export function shownName(name: ItemName | undefined, index: number): string {
	return nameOfItem(name, index) ?? `Item ${index + 1}`;
}

export function placeInRun(index: number, count: number, names: NamesByIndex) {
	return { index, count, name: nameOfItem(names[index], index) };
}

/**
 * Lists items by number, in the given order: "items 1 and 2", "items 1 to 1200, 1204".
 * @param names The items' names. If the rows of all these items are known, they take the place of the item
 * numbers: "rows 2 and 3".
 */
export function numbersOf(indexes: number[], names: NamesByIndex = []): string {
	const rows = indexes.map((index) => Number(names[index]?.row));
	const isByRow = rows.every(Number.isSafeInteger);
	const noun = `${isByRow ? 'row' : 'item'}${indexes.length === 1 ? '' : 's'}`;
	const ranges: Array<{ first: number; last: number }> = [];
	// Item numbers in messages start at 1.
	for (const number of isByRow ? rows : indexes.map((index) => index + 1)) {
		const range = ranges.at(-1);
		if (range && number >= range.last && number <= range.last + 1) range.last = number;
		else ranges.push({ first: number, last: number });
	}
	const numbers = ranges.flatMap(({ first, last }) =>
		last > first + 1 ? [`${first} to ${last}`] : [...new Set([first, last])].map(String),
	);
	return indexes.length === 2
		? `${noun} ${numbers.join(' and ')}`
		: `${noun} ${fitting(numbers, maxNumbersLength).join(', ')}`;
}

/** Returns the parts that fit into `maxLength` characters, and a note if there are more. The first always fits. */
export function fitting(parts: string[], maxLength: number, note = 'and others'): string[] {
	let length = 0;
	const fits = (part: string) => (length += part.length + 2) <= maxLength;
	const end = parts.findIndex((part, index) => !fits(part) && index > 0);
	return end < 0 ? parts : [...parts.slice(0, end), note];
}
