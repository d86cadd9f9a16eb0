import type { IDataObject } from 'n8n-workflow';

import { InputError, joinErrors, MissingValue } from '../../nodes/SignVerify/errors/inputError';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { explainUnsplitColumn } from '../../nodes/SignVerify/operations/unsplitColumn';
import { severalWrong } from '../support/problemWords';

const missing = (field: string) =>
	new MissingValue(field, { ...valueProblems.empty, remedy: `Enter the ${field}.` });
const wrong = new InputError('Email', valueProblems.notEmail('ada'));

describe('An input error', () => {
	test.each([
		['Name;Email;Contract', '";"'],
		['Name\tEmail', '{{ "\\t" }}'],
		['Name; or title\tEmail', '{{ "\\t" }}'],
	])(
		"about a missing value names the item's only column, %j, and suggests a fix",
		(column, separator) => {
			const error = explainUnsplitColumn(missing('Name'), { [column]: 'Ada' });
			const shownColumn = column.replace('\t', ' ');
			expect(error.message).toBe(
				`Name: ${valueProblems.unsplitColumn(valueProblems.empty.problem, shownColumn).problem}`,
			);
			for (const part of ['Delimiter', separator, missing('Name').description]) {
				expect(error.description).toContain(part);
			}
		},
	);

	test.each<[string, IDataObject]>([
		['does not have any columns', {}],
		['has a column with an ordinary name', { 'Full name, as in the ID': '' }],
		['has another column besides the one with semicolons', { 'Name;Email': '', Contract: 'C-1' }],
		['contains semicolons only in a value', { name: 'Ada;Ben' }],
	])('about a missing value stays unchanged if the item %s', (_what, json) => {
		const error = missing('Name');
		expect(explainUnsplitColumn(error, json)).toBe(error);
	});

	test("about several values names the item's only column just once and keeps all fields", () => {
		const error = joinErrors([wrong, missing('Name'), missing('Send Once Key')]);
		const { message, parts } = explainUnsplitColumn(error, { 'Name;Contract': 'Ada;C-1' });
		expect(message).toBe(
			severalWrong(
				['Email', valueProblems.notEmail('ada').problem],
				['Name', valueProblems.unsplitColumn(valueProblems.empty.problem, 'Name;Contract').problem],
				['Send Once Key', valueProblems.empty.problem],
			),
		);
		expect(parts.map(({ field }) => field)).toEqual(['Email', 'Name', 'Send Once Key']);
	});

	test('stays unchanged if no value is missing', () => {
		expect(explainUnsplitColumn(wrong, { 'Name;Email': 'Ada;ada' })).toBe(wrong);
	});
});
