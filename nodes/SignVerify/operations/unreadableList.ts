import type { IDataObject } from 'n8n-workflow';

import { damaged } from '../text/contentMistakes';
import { type InputError, ListError, MissingValue } from '../errors/inputError';
import type { ValueProblemTable } from '../errors/problem';
import { quoted } from '../util/redact';

/** What a text contains if it was saved in Windows-1252 or another encoding, or in UTF-16, and read as UTF-8. */
const wronglyDecoded = /\uFFFD|\0/;

/**
 * How the files that people save instead of a list begin. A workbook is a ZIP file, and a column of a list may be called
 * "PK" as well.
 */
const otherFiles = [
	{ start: /^PK[\p{Cc}\uFFFD]/u, name: 'an Excel workbook' },
	{ start: /^%PDF-/, name: 'a PDF' },
];

const remedy =
	"In Excel, choose Save As and the file type CSV UTF-8. In other programs, select the character set UTF-8. If the data doesn't come from a file, read it again as UTF-8 in the earlier step.";

export const listProblems = {
	otherFile: { problem: "it can't be read as a list. Save it as CSV UTF-8", remedy },
	separatorLine: {
		problem: 'this line is only for Excel. Delete it',
		remedy:
			'Open the list in a text editor, delete its first line, and save it. If a character other than a comma separates its columns, enter this character as the Delimiter in the Extract From File node.',
	},
	otherEncoding: (text: string) => ({
		problem: `${quoted(text)} contains characters that can't be read`,
		remedy,
	}),
} satisfies ValueProblemTable;

/** The line with which a list tells Excel how its columns are separated, which n8n reads as the names of the columns. */
const separatorLine = /^sep=/i;

/**
 * Explains an error about an item of a list that was saved in another encoding, as another kind of file, or with a line
 * about its separator. The person who saved the list can do something about it, so this comes first.
 */
export function explainUnreadableList(error: InputError, json: IDataObject): InputError {
	const columns = Object.keys(json);
	const [first = ''] = columns;
	const { parts } = error;
	const other = otherFiles.find(({ start }) => start.test(first));
	if (other) return new ListError(`This is ${other.name}`, listProblems.otherFile, parts);
	if (separatorLine.test(first)) {
		return new ListError(
			`The list begins with ${quoted(first)}`,
			listProblems.separatorLine,
			parts,
		);
	}
	const texts = Object.entries(json).flat();
	const found = texts.find(
		(text): text is string => typeof text === 'string' && wronglyDecoded.test(text),
	);
	const hasCause = parts.some(
		(part) =>
			part.description === damaged ||
			wronglyDecoded.test(part.problem) ||
			(part instanceof MissingValue && columns.some((column) => wronglyDecoded.test(column))),
	);
	if (found === undefined || !hasCause) return error;
	return new ListError('Save the list as CSV UTF-8', listProblems.otherEncoding(found), parts);
}
