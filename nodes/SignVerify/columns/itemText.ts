import type { EnteredText } from '../form/field';
import type { TextRules } from '../form/texts';
import type { ItemContext } from '../item/item';
import { MissingValue } from '../errors/inputError';
import { settleSync, valueOf } from '../util/async';
import { because, emptyParts, explained, mistakeInParts, missingColumn } from './columnsRead';

/**
 * Reads and judges a text of the action node. Every text that a user enters passes through this function, so
 * a rule for all of them belongs here, and a rule for some of them belongs to their rules.
 * @throws InputError for an expression typed as plain text, and for what the rules refuse. If a value is
 * missing because its expression reads a column that no item of the run has, the error names the column.
 */
export function readItemText(item: ItemContext, entered: EnteredText, rules: TextRules): string {
	const { label, value, saved } = entered;
	item.checkTyped(value, label);
	const text = readPresent(item, entered, rules);
	const mistake = explained(item, rules.mistakeIn(text, value), { saved, text });
	item.judge(label, mistake);
	item.judge(
		label,
		mistakeInParts(item, saved, rules.missingPart ?? 'looksWrong') ??
			(mistake || rules.judgesEmptyParts ? undefined : emptyParts(entered, rules)),
	);
	return text;
}

function readPresent(item: ItemContext, entered: EnteredText, rules: TextRules): string {
	const reading = settleSync(() => rules.read(entered));
	if (reading.ok || !(reading.error instanceof MissingValue)) return valueOf(reading);
	const missing = missingColumn(item, entered.saved);
	if (!missing) throw reading.error;
	const { field, description } = reading.error;
	const explained = because(reading.error, missing);
	// A field that may be empty can also be corrected in the way that its own error shows.
	if (rules.isOptional) explained.remedy = description;
	throw new MissingValue(field, explained);
}
