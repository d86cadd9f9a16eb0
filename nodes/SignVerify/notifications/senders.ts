import { textOf } from '../transport/text';
import { InputFailure } from '../transport/failure';

/** An IP address as a number, with the number of its bits: 32 or 128. */
interface Address {
	value: bigint;
	bits: number;
}

/** A range of addresses: all whose first `prefix` bits are those of `value`. */
export interface SenderRange extends Address {
	prefix: number;
}

/**
 * Reads the "Allowed Sender Addresses": IP addresses and CIDR ranges, separated by commas.
 * @returns The ranges; none where the field is empty, which lets everybody in.
 * @throws InputFailure naming the entry that is no address: leaving it out would let nobody in, or
 * the wrong ones, without a word.
 */
export function readSenders(value: unknown): SenderRange[] {
	const entries = textOf(value).split(',');
	return entries
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '')
		.map((entry) => {
			const range = readRange(entry);
			if (range) return range;
			throw new InputFailure(
				'Allowed Sender Addresses',
				`"${entry}" is not an IP address or range`,
				'Enter addresses such as 203.0.113.7 or ranges such as 203.0.113.0/24, separated by commas.',
			);
		});
}

/** Whether an address lies in one of the ranges; without ranges every one does. */
export function isAllowedSender(ranges: SenderRange[], ip: string | undefined): boolean {
	if (ranges.length === 0) return true;
	const address = readAddress(ip ?? '');
	return (
		address !== undefined &&
		ranges.some(({ value, bits, prefix }) => {
			const shift = BigInt(bits - prefix);
			return bits === address.bits && value >> shift === address.value >> shift;
		})
	);
}

function readRange(entry: string): SenderRange | undefined {
	const [text = '', length, ...more] = entry.split('/');
	const address = readAddress(text);
	if (!address || more.length > 0) return undefined;
	if (length === undefined) return { ...address, prefix: address.bits };
	// ::ffff:10.0.0.0/104 is 10.0.0.0/8 in the other notation.
	const mapped = text.includes(':') && address.bits === 32;
	const prefix = /^\d{1,3}$/.test(length) ? Number(length) - (mapped ? 96 : 0) : -1;
	return prefix >= 0 && prefix <= address.bits ? { ...address, prefix } : undefined;
}

function readAddress(text: string): Address | undefined {
	if (!text.includes(':')) {
		const value = readV4(text);
		return value === undefined ? undefined : { value, bits: 32 };
	}
	const value = readV6(text);
	if (value === undefined) return undefined;
	// A version 4 sender on a socket of version 6 arrives as ::ffff:203.0.113.7.
	return value >> 32n === 0xffffn ? { value: value & 0xffffffffn, bits: 32 } : { value, bits: 128 };
}

function readV4(text: string): bigint | undefined {
	if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined;
	const parts = text.split('.').map(Number);
	if (parts.some((part) => part > 255)) return undefined;
	return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function readV6(text: string): bigint | undefined {
	const tail = /^(.*:)(\d+(?:\.\d+){3})$/.exec(text);
	const embedded = tail ? readV4(tail[2] ?? '') : undefined;
	if (tail && embedded === undefined) return undefined;
	const plain =
		embedded === undefined
			? text
			: `${tail?.[1] ?? ''}${(embedded >> 16n).toString(16)}:${(embedded & 0xffffn).toString(16)}`;
	const [head, rest, ...more] = plain
		.split('::')
		.map((half) => (half === '' ? [] : half.split(':')));
	if (!head || more.length > 0) return undefined;
	const left = 8 - head.length - (rest?.length ?? 0);
	if (rest ? left < 1 : left !== 0) return undefined;
	const groups = [...head, ...Array<string>(left).fill('0'), ...(rest ?? [])];
	if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
	return BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`);
}
