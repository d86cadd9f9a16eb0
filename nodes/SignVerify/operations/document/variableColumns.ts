import { variablesOf } from '../../api/templates';
import type { Template } from '../../api/types';
import { columnsInWords, columnsOf } from '../../columns/columnMatching';
import {
	adviceForForm,
	isFromForm,
	labelOfVariable,
	listOfColumns,
	ownColumns,
	remedyForColumns,
	remedyWithoutColumns,
	shortList,
} from '../../columns/columnNames';
import { columnProblems } from '../../columns/columnProblems';
import { MissingValue, readEach } from '../../errors/inputError';
import { isUnfilled } from '../../form/valueReaders';
import { type ItemContext, rememberFor } from '../../item/item';
import { columnsOfTemplate } from '../../templateForm/roles';
import { unreadColumns, unreadWithOtherAccents } from '../../templateForm/unreadColumns';
import { fieldNames, fieldsSection } from './variableFields';

/**
 * @throws InputError if no column matches any field, unless all their cells may be empty, and the errors of {@link
 * columnsOf}.
 */
export function fieldsInColumns(
	item: ItemContext,
	template: Template,
): Map<string, string | undefined> {
	const variables = variablesOf(template);
	const { json } = item.input;
	const form = rememberFor(item, template, `form of ${fieldsSection}`, () => ({
		section: fieldsSection,
		names: fieldNames(template),
		wanted: variables,
		owners: new Map(
			columnsOfTemplate(template).map(({ name, field }) => [name, field?.key ?? null]),
		),
	}));
	const columns = columnsOf(item, form);
	const unfilled = variables.filter(({ key }) => columns.get(key) === undefined);
	if (variables.length > 0 && unfilled.length === variables.length) {
		const remedy = remedyWithoutColumns(json, variables);
		const mayAllBeEmpty =
			Object.keys(json).length > 0 &&
			// The data isn't nested in the item.
			remedy === remedyForColumns &&
			!variables.some(({ isRequired }) => isRequired);
		if (!mayAllBeEmpty) {
			throw new MissingValue(fieldsSection, {
				...columnProblems.noneMatchesAnyField(
					shortList(variables.map(labelOfVariable)),
					columnsInWords(item, variables),
				),
				remedy,
			});
		}
	}
	return columns;
}

/**
 * Informs about optional fields without a matching column, which may just as well be a column that is empty in every
 * row. If the accents of an unused column are the only difference, it's probably theirs. A required field without a
 * column is an error when its value is read.
 */
export function warnOfUnmatched(
	item: ItemContext,
	template: Template,
	columns: Map<string, string | undefined>,
): void {
	const optional = variablesOf(template).filter(
		({ key, isRequired }) => !isRequired && columns.get(key) === undefined,
	);
	if (optional.length === 0) return;
	const json = ownColumns(item.input.json);
	const names = fieldNames(template);
	const others = unreadWithOtherAccents(item, template);
	readEach(optional, ({ key }) => {
		const other = others.get(key)?.find((column) => !isUnfilled(json[column]));
		if (other === undefined) return;
		const problem = columnProblems.otherAccents(other);
		item.judge(names.get(key) ?? key, { severity: 'looksWrong', ...problem });
	});
	const unread = unreadColumns(item, template);
	const fields = shortList(optional.map(labelOfVariable));
	const formAdvice = adviceForForm(item.input.json, optional);
	const rename =
		unread.length > 0
			? `If its column has a different name, rename the column. Nothing uses these columns: ${listOfColumns(unread)}. `
			: '';
	const remedy = `A field without a value is left out. ${rename}${formAdvice}`.trim();
	// One item's warning is enough, because usually all items have the same columns.
	const problem = columnProblems.noneForOptionalFields(fields);
	item.remember(`${fieldsSection}: ${fields}. ${remedy}`, () =>
		item.judge(fieldsSection, { severity: 'warning', ...problem, remedy }),
	);
}

/**
 * Warns of an item with people whose columns for the fields are all there, but empty: an earlier step may have
 * lost the values. A single empty field is nothing unusual, and whoever fills in a form sees its empty fields.
 */
export function warnOfEmptyColumns(
	item: ItemContext,
	columns: Map<string, string | undefined>,
	values: Map<string, unknown>,
): void {
	const names = [...columns.values()].filter((column) => column !== undefined);
	if (columns.size < 2 || names.length < columns.size || isFromForm(item.input.json)) return;
	if (![...values.values()].every(isUnfilled)) return;
	item.judge(fieldsSection, { severity: 'warning', ...columnProblems.allEmpty(shortList(names)) });
}
