import type { IDataObject } from 'n8n-workflow';

import { InputError, joinErrors, MissingValue } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';

/** The column separators used in CSV files besides the comma, and how to enter them in n8n. */
const separators = [
	{ character: '\t', entered: 'the expression {{ "\\t" }}' },
	{ character: ';', entered: '";"' },
];

/**
 * Adds the likely cause to the first error about a missing value, if the item comes from a CSV file that was
 * read with the wrong separator. In that case, the item has a single column with a name such as
 * "Name;Email;Contract", and every expression that reads a column returns nothing.
 */
export function explainUnsplitColumn(error: InputError, json: IDataObject): InputError {
	const [column = '', ...otherColumns] = Object.keys(json);
	const separator = separators.find(({ character }) => column.includes(character));
	const explained = error.parts.find((part) => part instanceof MissingValue);
	if (!separator || otherColumns.length > 0 || !explained) return error;
	const { field, problem, description } = explained;
	const advice = `If the item comes from a CSV file, the file was read with the wrong separator. In the Extract From File node, add the Delimiter option, and set it to ${separator.entered}.`;
	const cause = new InputError(field, {
		...valueProblems.unsplitColumn(problem, column),
		remedy: `${advice} Otherwise: ${description}`,
	});
	return joinErrors(error.parts.map((part) => (part === explained ? cause : part)));
}
