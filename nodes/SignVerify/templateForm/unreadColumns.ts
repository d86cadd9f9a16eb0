import { variablesOf } from '../api/templates';
import type { Template } from '../api/types';
import { comparedColumnName, comparedNames, foldedName, rowColumn } from '../columns/columnNames';
import { allColumns } from '../columns/columnMatching';
import { columnsReadIn } from '../columns/columnsRead';
import { type ItemContext, rememberFor } from '../item/item';
import { columnsOfRole, formRolesOf } from './roles';

/*
 * The columns that nothing in the node reads. A column that is empty in every row can't be told from a missing one,
 * because some nodes leave out empty cells. So only what else is in the list can show that a column has another name.
 */

/** Returns the run's columns that match neither a field nor a role, and that no expression in the node reads. */
function unreadColumns(item: ItemContext, template: Template): string[] {
	return rememberFor(item, template, 'unread columns', () => {
		const wanted = [...formRolesOf(template).flatMap(columnsOfRole), ...variablesOf(template)];
		const matched = new Set(wanted.flatMap(comparedNames));
		const read = new Set([rowColumn, ...columnsReadIn(item.context.getNode().parameters)]);
		return [...allColumns(item)].filter(
			(column) => !read.has(column) && !matched.has(comparedColumnName(column)),
		);
	});
}

/**
 * Returns the unread columns whose names are probably an optional field's name with a typo, such as "Salery" for
 * "Salary", by the field's key.
 */
export function misspelledColumns(item: ItemContext, template: Template): Map<string, string[]> {
	return rememberFor(item, template, 'misspelled columns', () => {
		const unread = unreadColumns(item, template)
			.slice(0, maxComparedColumns)
			.map((column) => ({ column, spelling: spellingOf(column) }));
		const found = variablesOf(template)
			.filter(({ isRequired }) => !isRequired)
			.map(({ key, label }): [string, string[]] => {
				const names = [key, label].map(spellingOf);
				const like = unread.filter(({ spelling }) => names.some((name) => isTypo(name, spelling)));
				return [key, like.map(({ column }) => column)];
			});
		return new Map(found.filter(([, columns]) => columns.length > 0));
	});
}

/**
 * Returns the unread columns whose names are those of a role's email addresses, such as "Employer email" beside
 * "Employer name". If a role is taken out of the template, its columns usually stay in the list.
 */
export function emailColumnsWithoutRole(item: ItemContext, template: Template): string[] {
	return rememberFor(item, template, 'columns without a role', () => {
		const names = new Set([...allColumns(item)].map(comparedColumnName));
		return unreadColumns(item, template).filter((column) => {
			const name = comparedColumnName(column);
			const isOfRole = name.includes('email') && name !== 'email';
			return isOfRole && names.has(name.replace('email', 'name'));
		});
	});
}

/** How many columns are compared with each field, and how long the names can be. */
const maxComparedColumns = 500;
const maxComparedLength = 100;

/** One edit for six characters, and two for twelve, because many shorter words are that close to each other. */
const charactersPerEdit = 6;
const maxEdits = 2;

interface Spelling {
	folded: string;
	words: string[];
}

function spellingOf(name: string): Spelling {
	const words = name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').split(/[\s_.:-]+/);
	return { folded: foldedName(name), words: words.map(foldedName).filter(Boolean) };
}

/**
 * Whether two names differ in a few letters, but in no digit, and not at the ends of their words, where another letter
 * makes another word: "Phone 1" isn't "Phone 2", and "Employer" isn't "Employee".
 */
function isTypo(left: Spelling, right: Spelling): boolean {
	const length = Math.max(left.folded.length, right.folded.length);
	const edits = Math.min(maxEdits, Math.floor(length / charactersPerEdit));
	const digitsOf = ({ folded }: Spelling) => folded.replace(/\P{N}/gu, '');
	const isWordByWord = left.words.length === right.words.length;
	const endsOf = ({ folded, words }: Spelling) =>
		(isWordByWord ? words : [folded]).map((word) => `${word.charAt(0)}${word.slice(-1)}`).join(' ');
	return (
		length <= maxComparedLength &&
		Math.abs(left.folded.length - right.folded.length) <= edits &&
		endsOf(left) === endsOf(right) &&
		isWithinEdits(left.folded, right.folded, edits) &&
		digitsOf(left) === digitsOf(right)
	);
}

/** An edit adds, removes, or replaces a character, or swaps two that are next to each other. */
function isWithinEdits(left: string, right: string, edits: number): boolean {
	let same = 0;
	while (same < left.length && left.charAt(same) === right.charAt(same)) same++;
	const [rest, other] = [left.slice(same), right.slice(same)];
	if (rest === '' || other === '') return rest.length + other.length <= edits;
	if (edits === 0) return false;
	const isSwapped = rest.charAt(0) === other.charAt(1) && rest.charAt(1) === other.charAt(0);
	const steps = [[1, 0], [0, 1], [1, 1], ...(isSwapped ? [[2, 2]] : [])];
	return steps.some(([fromLeft, fromRight]) =>
		isWithinEdits(rest.slice(fromLeft), other.slice(fromRight), edits - 1),
	);
}
