import { nameInOneLine } from './leftovers';

/** The most characters that an address can have (RFC 5321). */
const maxAddress = 254;

/** Letters of any script, digits, and the signs that mail servers take. */
const localPart = /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}!#$%&'*+/=?^_`{|}~.-]+$/u;

/** A part of a domain in its ASCII form, as HTML has it for email fields. */
const domainPart = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Signs of ASCII that no domain has. Other letters are judged in the domain's ASCII form. */
const notInDomain = /[^a-zA-Z\d.\u0080-\u{10FFFF}-]/u;

/**
 * Checks an email address for what no mail server takes.
 * @param address Without white space at its ends.
 * @returns What is wrong, as a part of a sentence; '' if it has no likeness to an address, and undefined if it is right.
 */
export function mistakeInAddress(address: string): string | undefined {
	const at = address.lastIndexOf('@');
	const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
	if (at < 1 || domain === '') return '';
	if (address.length > maxAddress) return 'it is too long';
	if (address.includes('\uFFFD')) return 'it has a character that could not be read (U+FFFD)';
	if (/^["'`\p{Pi}\p{Pf}‚„]|["'`\p{Pi}\p{Pf}‚„]$/u.test(address) || /['"`]$/.test(local)) {
		return 'it starts or ends with a quotation mark';
	}
	if (/[\uFF01-\uFF61\u3002]/.test(address)) {
		return 'it has a full-width character';
	}
	if (/[,;\s]/.test(address) || local.includes('@')) return 'it has a space, a comma or a second @';
	if (!localPart.test(local)) return "it has a character before the @ that isn't allowed";
	if (/^\.|\.$|\.\./.test(local)) return 'it has a dot in the wrong place before the @';
	return mistakeInDomain(domain);
}

function mistakeInDomain(domain: string): string | undefined {
	if (/^\.|\.$|\.\./.test(domain)) return 'it has a dot in the wrong place after the @';
	// In its ASCII form, a part with other letters has its hyphens elsewhere.
	const hasHyphenAtEnd = /^-|-$|\.-|-\./.test(domain);
	if (hasHyphenAtEnd || notInDomain.test(domain) || !URL.canParse(`http://${domain}`)) {
		return "what comes after the @ isn't a domain";
	}
	const parts = new URL(`http://${domain}`).hostname.split('.');
	const last = parts.at(-1) ?? '';
	if (/^\d+$/.test(last)) return 'it has an IP address after the @ instead of a domain';
	if (parts.length < 2 || last.length < 2) return 'its domain has no ending such as .com';
	if (!parts.every((part) => domainPart.test(part))) {
		return "what comes after the @ isn't a domain";
	}
	return undefined;
}

/** An address that a mail program writes with the name of the person: `Ana Gil <ana@example.com>`. */
const withName = /^([^<>]{0,500})<\s*([^<>\s]{1,300})\s*>$/;

/**
 * Reads an address as mail programs and address books write it, with the name of the person before it.
 * @returns The address, and the name; '' if there is none. Any other text is taken as the address.
 */
export function splitNamedAddress(text: string): { address: string; name: string } {
	const [, before = '', address] = withName.exec(text) ?? [];
	if (address === undefined) return { address: text, name: '' };
	return { address, name: nameBefore(before, address) };
}

/** Whether a text has an address with a name. */
export function hasNamedAddress(text: string): boolean {
	return /<[^<>\s@]{1,200}@[^<>\s]{1,300}>/.test(text);
}

/** The name before an address. Quotation marks around it, and backslashes in them, belong to the notation. */
function nameBefore(before: string, address: string): string {
	const [, , quotedName] = /^(["'])(.*)\1$/s.exec(before.trim()) ?? [];
	const name = nameInOneLine((quotedName ?? before).replace(/\\(.)/g, '$1'));
	// A name that the sender encoded cannot be read here, and an address is not the name of a person.
	const isName = !/=\?[^?]+\?[bq]\?/i.test(name) && name.toLowerCase() !== address.toLowerCase();
	return isName && !name.includes('@') ? name : '';
}
