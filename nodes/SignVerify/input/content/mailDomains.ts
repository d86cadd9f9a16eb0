import { quoted } from '../../util/redact';
import type { Finding } from './finding';

/**
 * Misspelled domains of the largest email providers, each with the correct domain. The list contains only
 * domains that no provider offers to its users. Matching by similarity instead would cause too many false
 * alarms, because similar domains such as mail.com and ymail.com belong to real providers.
 */
const rightDomains = new Map([
	['gmial.com', 'gmail.com'],
	['gmai.com', 'gmail.com'],
	['gamil.com', 'gmail.com'],
	['gmaill.com', 'gmail.com'],
	['gnail.com', 'gmail.com'],
	['gmail.con', 'gmail.com'],
	['gmail.cmo', 'gmail.com'],
	['hotmial.com', 'hotmail.com'],
	['hotmai.com', 'hotmail.com'],
	['hotmail.con', 'hotmail.com'],
	['outlok.com', 'outlook.com'],
	['outloook.com', 'outlook.com'],
	['outlook.con', 'outlook.com'],
	['yahooo.com', 'yahoo.com'],
	['yaho.com', 'yahoo.com'],
	['yahoo.con', 'yahoo.com'],
	['iclod.com', 'icloud.com'],
	['icloud.con', 'icloud.com'],
]);

/**
 * Checks for a misspelled domain of a large email provider. The address may exist, so the mistake is only
 * likely.
 */
export function mistakeInMailDomain(address: string): Finding | undefined {
	const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
	const rightDomain = rightDomains.get(domain);
	if (rightDomain === undefined) return undefined;
	return {
		severity: 'likely',
		problem: `${quoted(address)} looks like a misspelling of ${rightDomain}`,
		remedy: 'Correct the address, or ask the person for it.',
		docsAnchor: 'is-not-an-email-address',
	};
}
