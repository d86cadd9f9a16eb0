import { dateFieldOf, type FormField } from './dateFields';
import { dateTextOf } from './dates';
import type { CheckedText } from './finding';
import { mistakeInField } from './leftovers';

/**
 * Checks the value of a template field.
 * @param entered The entered string. It has a finding if {@link textOfDate} created it from a date and found a mistake.
 * @param zoneOfWorkflow Returns the workflow's time zone for dates.
 * @returns The string to send, and the mistake found, if any. The string differs from the entered string only for a day
 * at midnight, which is shortened to the day.
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
	const { text, finding = leftover } = dateTextOf(entered.text, zoneOfWorkflow);
	if (!finding) return { text };
	// If the field's name means a date only in some languages, its value may not be a date at all: warn, but send.
	return { text, finding: dateField === 'perhaps' ? { ...finding, severity: 'likely' } : finding };
}
