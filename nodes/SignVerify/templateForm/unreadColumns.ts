import { variablesOf } from '../api/templates';
import type { Template } from '../api/types';
import { rowColumn } from '../columns/columnNames';
import { allColumns, columnsNamed, columnsWithOtherAccents } from '../columns/columnMatching';
import { columnsReadIn } from '../columns/columnsRead';
import { type ItemContext, rememberFor } from '../item/item';
import { columnsOfRole, formRolesOf } from './roles';

/** Returns the run's columns that match neither a field nor a role, and that no expression in the node reads. */
export function unreadColumns(item: ItemContext, template: Template): string[] {
	return rememberFor(item, template, 'unread columns', () => {
		const wanted = [...formRolesOf(template).flatMap(columnsOfRole), ...variablesOf(template)];
		const read = new Set([
			...[rowColumn, ...columnsReadIn(item.context.getNode().parameters)],
			...wanted.flatMap((variable) => columnsNamed(item, variable)),
		]);
		return [...allColumns(item)].filter((column) => !read.has(column));
	});
}

/** Returns the unread columns that differ from a field's name only in their accents, by the field's key. */
export function unreadWithOtherAccents(
	item: ItemContext,
	template: Template,
): Map<string, string[]> {
	return rememberFor(item, template, 'unread columns with other accents', () => {
		const unread = new Set(unreadColumns(item, template));
		return new Map(
			variablesOf(template).map((variable) => [
				variable.key,
				columnsWithOtherAccents(item, variable).filter((column) => unread.has(column)),
			]),
		);
	});
}
