import type { ServiceAnswer } from './contract';
import type { ServiceVariants } from './variants';

/** What an endpoint did with a call. */
export type Outcome = Success | Refusal | Raw;

/** Becomes the envelope (docs/dev/service.md#response-envelope). */
export interface Success {
	data: unknown;
	message?: string;
}

/** Becomes an error, in the form that the variants say. */
export interface Refusal {
	code: number;
	refused: string;
	/** Whether it comes inside an HTTP 200, where that is not for the variants to say. */
	isIn200?: boolean;
	headers?: Record<string, string>;
}

/** A success that is answered as it is. */
export interface Raw {
	raw: unknown;
}

/** A call that the service refuses. */
export function refuse(
	code: number,
	refused: string,
	more: Pick<Refusal, 'isIn200' | 'headers'> = {},
): Refusal {
	return { code, refused, ...more };
}

/** Whether the service refused the call. */
export function isRefusal(outcome: Outcome): outcome is Refusal {
	return 'refused' in outcome;
}

const json = { 'content-type': 'application/json' };

/** The answer that a success makes. */
export function successAnswer(outcome: Success | Raw): ServiceAnswer {
	if ('raw' in outcome) return { status: 200, headers: json, body: outcome.raw };
	const { data, message } = outcome;
	const words = message === undefined ? {} : { message };
	return {
		status: 200,
		headers: json,
		body: { responseData: data, ...words, success: true, responseCode: 200 },
	};
}

/** The answer that a refusal makes. None is documented: these were seen (docs/dev/service.md#errors). */
export function refusalAnswer(
	{ code, refused, isIn200, headers }: Refusal,
	form: ServiceVariants['refusal'],
): ServiceAnswer {
	const is200 = isIn200 ?? form.endsWith('in 200');
	if (form === 'page' && !is200) {
		const body = `<html><head><title>${refused}</title></head><body></body></html>`;
		return { status: code, headers: { ...headers, 'content-type': 'text/html' }, body };
	}
	const message = form.startsWith('list') ? [{ msg: refused }] : refused;
	return {
		status: is200 ? 200 : code,
		headers: { ...headers, ...json },
		body: { responseData: {}, message, success: false, responseCode: code },
	};
}

/** What a value must be: a JavaScript type, a text that is not empty, or an object of exactly these. */
export type Shape = 'string' | 'number' | 'boolean' | 'text' | { [name: string]: Shape };

/** Whether a value has a shape, with nothing missing and nothing more. */
export function fits(value: unknown, shape: Shape): boolean {
	if (shape === 'text') return typeof value === 'string' && value !== '';
	if (typeof shape === 'string') return typeof value === shape;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const wanted = Object.entries(shape);
	const own = value as Record<string, unknown>;
	return (
		Object.keys(own).length === wanted.length &&
		wanted.every(([name, inner]) => Object.hasOwn(own, name) && fits(own[name], inner))
	);
}

/** Whether a text has the form of an e-mail address. */
export function isEmail(text: unknown): boolean {
	return (
		typeof text === 'string' &&
		text.length <= 254 &&
		/^[^\s@<>"',;:()[\]\\]+@[^\s@<>"',;:()[\]\\]+\.[^\s@.<>"',;:()[\]\\]+$/.test(text)
	);
}
