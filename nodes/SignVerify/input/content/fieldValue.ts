import { dateFieldOf, type FormField } from './dateFields';
import { dateTextOf } from './dates';
import type { CheckedText } from './finding';
import { mistakeInField } from './leftovers';

/**
 * Checks what is filled into a field of a template.
 * @param given The text, with what was found when it was made of a date ({@link textOfDate}).
 * @param zoneOfWorkflow Gives the time zone in which the workflow writes dates.
 * @returns The text to send, which differs only for a day at midnight.
 */
export function checkFieldText(
	variable: FormField,
	given: CheckedText,
	zoneOfWorkflow: () => string,
): CheckedText {
	const found = given.finding ?? mistakeInField(given.text);
	const kind = dateFieldOf(variable);
	if (found?.severity === 'certain' || kind === 'no' || given.text.trim() === '') {
		return { ...given, ...(found ? { finding: found } : {}) };
	}
	const { text, finding = found } = dateTextOf(given.text, zoneOfWorkflow);
	if (!finding) return { text };
	// Where a name is a date in one language only, nothing is certain.
	return { text, finding: kind === 'perhaps' ? { ...finding, severity: 'likely' } : finding };
}
