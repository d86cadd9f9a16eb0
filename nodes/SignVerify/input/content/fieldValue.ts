import { dateFieldOf, type FormField } from './dateFields';
import { dateTextOf } from './dates';
import type { CheckedText } from './finding';
import { mistakeInField } from './leftovers';

/**
 * Checks a template field's value.
 * @param entered The entered string. If the value was a date object, {@link textOfDate} has converted it, and
 * may already have found a mistake.
 * @param zoneOfWorkflow Returns the workflow's time zone for dates.
 * @returns The string to send, and the mistake found, if any. The entered string is returned unchanged,
 * except that a date at midnight loses its time.
 */
export function checkFieldText(
	variable: FormField,
	entered: CheckedText,
	zoneOfWorkflow: () => string,
): CheckedText {
	const leftover = entered.finding ?? mistakeInField(entered.text);
	const dateField = dateFieldOf(variable);
	if (leftover?.severity === 'certain' || dateField === 'no' || entered.text.trim() === '') {
		return leftover ? { text: entered.text, finding: leftover } : { text: entered.text };
	}
	const { text, finding: mistake } = dateTextOf(entered.text, zoneOfWorkflow);
	// If both checks find the same mistake in a date object, keep the remedy for date objects.
	const isSame = mistake !== undefined && mistake.problem === entered.finding?.problem;
	const finding = isSame ? entered.finding : (mistake ?? leftover);
	if (!finding) return { text };
	// If it is unclear whether the field is for a date, the value may be correct, so only warn about it.
	return { text, finding: dateField === 'perhaps' ? { ...finding, severity: 'likely' } : finding };
}
