import { onOneLine } from '../../util/values';

/** The maximum length of an email address, in characters (RFC 5321). */
const maxAddressLength = 254;

/** The characters that mail servers accept before the @: letters in any script, digits and these symbols. */
const localPart = /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}!#$%&'*+/=?^_`{|}~.-]+$/u;

/** The pattern that HTML email fields use to check one part of an ASCII domain. */
const domainPart = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * ASCII characters that aren't allowed in a domain. Letters in other scripts are allowed here, because
 * mistakeInDomain() also checks the domain's ASCII form.
 */
const notInDomain = /[^a-zA-Z\d.\u0080-\u{10FFFF}-]/u;

/**
 * Checks an email address for mistakes that every mail server would reject.
 * @param address The address, without surrounding whitespace.
 * @returns The mistake as part of a sentence, '' if the string does not look like an address, or undefined if
 * the address is valid.
 */
export function mistakeInAddress(address: string): string | undefined {
	const at = address.lastIndexOf('@');
	const local = address.slice(0, at);
	const domain = address.slice(at + 1);
	if (at < 1 || domain === '') return '';
	if (address.length > maxAddressLength) return "it's too long";
	if (address.includes('\uFFFD')) return "it contains a character that couldn't be read (U+FFFD)";
	if (/^["'`\p{Pi}\p{Pf}‚„]|["'`\p{Pi}\p{Pf}‚„]$/u.test(address) || /['"`]$/.test(local)) {
		return 'it starts or ends with a quotation mark';
	}
	if (/[\uFF01-\uFF61\u3002]/.test(address)) {
		return 'it contains a full-width character';
	}
	if (/[,;\s]/.test(address) || local.includes('@'))
		return 'it contains a space, a comma, or a second @';
	if (!localPart.test(local)) return "it has a character before the @ that isn't allowed";
	if (/^\.|\.$|\.\./.test(local)) return 'it has a dot in the wrong place before the @';
	return mistakeInDomain(domain);
}

function mistakeInDomain(domain: string): string | undefined {
	if (/^\.|\.$|\.\./.test(domain)) return 'it has a dot in the wrong place after the @';
	// Check the hyphens before converting the domain to ASCII, because the ASCII form (`xn--…`) adds hyphens.
	const hasHyphenAtEnd = /^-|-$|\.-|-\./.test(domain);
	if (hasHyphenAtEnd || notInDomain.test(domain) || !URL.canParse(`http://${domain}`)) {
		return "the part after the @ isn't a domain";
	}
	const parts = new URL(`http://${domain}`).hostname.split('.');
	const ending = parts.at(-1) ?? '';
	if (/^\d+$/.test(ending)) return 'it has an IP address after the @ instead of a domain';
	if (parts.length < 2 || ending.length < 2) return 'its domain is missing an ending such as .com';
	if (!parts.every((part) => domainPart.test(part))) {
		return "the part after the @ isn't a domain";
	}
	return undefined;
}

/** An address with the person's name, in the format that mail programs use: `Ana Gil <ana@example.com>`. */
const addressWithName = /^([^<>]{0,500})<\s*([^<>\s]{1,300})\s*>$/;

/**
 * Splits an address in the format that mail programs and address books use: `Ana Gil <ana@example.com>`.
 * @returns The address and the name, which is '' if there is none. A string in any other format is returned
 * unchanged as the address.
 */
export function splitNamedAddress(text: string): { address: string; name: string } {
	const [, before = '', address] = addressWithName.exec(text) ?? [];
	if (address === undefined) return { address: text, name: '' };
	return { address, name: nameBefore(before, address) };
}

/**
 * Whether a string contains an address in angle brackets, as mail programs write it after a name:
 * `<ana@example.com>`.
 */
export function hasNamedAddress(text: string): boolean {
	return /<[^<>\s@]{1,200}@[^<>\s]{1,300}>/.test(text);
}

/** Reads the name before an address, without the quotation marks around it and the backslashes inside it. */
function nameBefore(before: string, address: string): string {
	const [, , quotedName] = /^(["'])(.*)\1$/s.exec(before.trim()) ?? [];
	const name = onOneLine((quotedName ?? before).replace(/\\(.)/g, '$1'));
	// Skip names that only repeat the address, and names that mail programs have encoded (`=?utf-8?q?…?=`),
	// because those would be unreadable in a contract.
	const isName = !/=\?[^?]+\?[bq]\?/i.test(name) && name.toLowerCase() !== address.toLowerCase();
	return isName && !name.includes('@') ? name : '';
}
