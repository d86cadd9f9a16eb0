import type { Complaint } from '../http/envelope';
import type { RefusedField } from '../http/request';
import { isObject } from '../util/values';

/**
 * The form's names for the fields of a request's body, by their path in lower case. `#` stands for a
 * place in a list, which people count from 1, and `*` for the rest of the path.
 */
type FieldNames = Record<string, string>;

/** Of a document (docs/dev/service.md#create-a-document-version-1, #create-a-document-version-2). */
export const documentNames: FieldNames = {
	templateid: 'Template',
	template: 'Template',
	country: 'Country',
	inputs: 'Fields',
	'inputs.*': 'Fields: *',
	signatories: 'Signatories',
	'signatories.#': 'Signatory #',
	'signatories.#.email': 'Signatory #, Email',
	'signatories.#.name': 'Signatory #, Name',
	staticsignpositions: 'Signature Positions',
	'staticsignpositions.#': 'Signature Position #',
	'staticsignpositions.#.user': 'Signature Position #, Signatory Email',
	'staticsignpositions.#.user.email': 'Signature Position #, Signatory Email',
	'staticsignpositions.#.coordinates': 'Signature Position #, Place',
	'staticsignpositions.#.coordinates.x': 'Signature Position #, Left',
	'staticsignpositions.#.coordinates.y': 'Signature Position #, Top',
	'staticsignpositions.#.page': 'Signature Position #, Page',
	'staticsignpositions.#.pagey': 'Signature Position #, Top',
	'staticsignpositions.#.pageyv2': 'Signature Position #, Top',
	'staticsignpositions.#.color': 'Signature Position #, Color',
	'staticsignpositions.#.imagesize.width': 'Signature Position #, Width',
	'staticsignpositions.#.imagesize.height': 'Signature Position #, Height',
	'staticsignpositions.#.*': 'Signature Position #',
};

/** Of an identity request (docs/dev/service.md#create-an-identity-verification-request). */
export const identityNames: FieldNames = {
	email: 'Email',
	type: 'Verification Type',
	backgroundcheck: 'Background Check',
};

/** Of a webhook (docs/dev/service.md#register-a-document-webhook, #register-an-identity-webhook). */
export const webhookNames: FieldNames = {
	url: 'Webhook URL',
	webhookurl: 'Webhook URL',
	type: 'Event',
	name: 'Name',
};

/** Refusals that were seen and name no path (docs/dev/service.md#messages). */
const seen = new Map<string, RefusedField>([
	[
		'some emails are repeated',
		{ field: 'Signatories', reason: 'the service wants another e-mail address for each' },
	],
	[
		'some emails has invalid format or are empty',
		{ field: 'Signatories', reason: 'the service wants a valid e-mail address for each' },
	],
]);

/** The form's names that come from the workflow or its template. */
export interface FormLabels {
	/** The template's variables, by key. */
	variables?: ReadonlyMap<string, string>;
	/** The roles of the signatories, in the order of the body; absent if the form counts them. */
	signatories?: string[];
}

/**
 * Explains a refusal in the words of the form: which field, and why. The words of a service are not
 * documented (docs/dev/service.md#errors). Those of the common libraries that check requests are known, and
 * others stay as they are.
 * @param names The form's names for the fields of the body.
 * @param body The request. Nothing of its values is shown except how long they are.
 * @returns A function; it returns undefined for everything but a known field.
 */
export function explainWith(
	names: FieldNames,
	body: unknown,
	labels: FormLabels = {},
): (complaint: Complaint) => RefusedField | undefined {
	return ({ text, path }) => {
		const known =
			names === documentNames ? seen.get(text.replace(/\.$/, '').toLowerCase()) : undefined;
		if (known) return known;
		const { at, said, isCertain } = path ? { at: path, said: text, isCertain: true } : split(text);
		const [, missing] = lacking.exec(said) ?? [];
		const steps = [...stepsOf(at), ...(missing ? [missing] : [])];
		const field = fieldOf(steps, names, labels);
		if (!field) return undefined;
		const wanted = missing ? 'a value' : wantedBy(said);
		if (wanted)
			return { field, reason: `the service wants ${wanted}${lengthOf(wanted, body, steps)}` };
		// A sentence may happen to begin with a field's name.
		return isCertain || predicate.test(said)
			? { field, reason: `the service says "${said}"` }
			: undefined;
	};
}

/** Ajv and the sandbox name the object, and behind it the field that is missing. */
const lacking =
	/^(?:must have required property|lacks a value for the required key:?) '?([^\s']+)'?$/i;

/** The first word after a field's name. */
const predicate =
	/^(?:must|should|is|are|has|have|needs?|can|cannot|does|not|already|length|required|invalid|expected)\b/i;

/** A text that begins with a path: `signatories.0.name must be …`, `"country" is …`, `body/email must …`. */
function split(text: string): { at: string; said: string; isCertain: boolean } {
	const [, quoted, bare, said = ''] =
		/^(?:["'`]([^"'`]+)["'`]|([^\s"'`:]+)):?\s+(.+)$/s.exec(text) ?? [];
	const at = quoted ?? bare ?? '';
	return { at, said, isCertain: quoted !== undefined || /[./[]/.test(at) };
}

function stepsOf(path: string): string[] {
	const steps = path.split(/[./[\]]+/).filter(Boolean);
	return steps[0] === 'body' ? steps.slice(1) : steps;
}

function fieldOf(
	steps: string[],
	names: FieldNames,
	{ variables, signatories }: FormLabels,
): string | undefined {
	const pattern = steps.map((step) => (/^\d+$/.test(step) ? '#' : step.toLowerCase()));
	const named = (key: string) => (Object.hasOwn(names, key) ? names[key] : undefined);
	let [name, rest] = [named(pattern.join('.')), ''];
	for (let kept = pattern.length - 1; name === undefined && kept > 0; kept--) {
		name = named([...pattern.slice(0, kept), '*'].join('.'));
		rest = steps.slice(kept).join('.');
	}
	const place = Number(steps.find((step) => /^\d+$/.test(step)) ?? 0);
	return name?.replace(/^Signatory #|#|\*/, (part) => {
		if (part === '*') return variables?.get(rest) ?? rest;
		const role = part === '#' ? undefined : signatories?.[place];
		return role ?? part.replace('#', String(place + 1));
	});
}

const least =
	/(?:longer than or equal to|greater than or equal to|at least|not (?:have fewer|be shorter|be less) than|minimum(?: allowed)? length(?: of| is)?|>=) ?\(?(\d+)/i;
const most =
	/(?:shorter than or equal to|less than or equal to|at most|not (?:have more|be longer|be greater) than|maximum(?: allowed)? length(?: of| is)?|no more than|<=) ?\(?(\d+)/i;
const between = /(?:between |have |of )?(\d+) (?:to|and|-) (\d+)/i;

/** What a constraint wants, in the words of class-validator, express-validator, Joi, Ajv and Zod. */
const constraints: Array<[RegExp, string]> = [
	[
		/not be empty|not allowed to be empty|cannot be empty|is required|be provided|^required$/i,
		'a value',
	],
	[/be (?:an|a valid) e-?mail/i, 'an e-mail address'],
	[/be an? (?:valid )?ur[il]\b/i, 'a URL'],
	[/be an? (?:valid )?hexa?(?:decimal)? colou?r/i, 'a hex color'],
	[/be an integer/i, 'a whole number'],
	[/be a (?:valid )?number/i, 'a number'],
	[/be a boolean|expected boolean/i, 'true or false'],
	[/be a string|expected string/i, 'a text'],
	[/be an array|expected array/i, 'a list'],
	[/\b(?:unique|repeated|duplicated?)\b/i, 'another value for each'],
];

function wantedBy(said: string): string | undefined {
	const range = rangeIn(said);
	if (range) {
		if (/\b(?:elements?|items?|entries)\b/i.test(said))
			return `${range} ${range.endsWith(' 1') ? 'entry' : 'entries'}`;
		return /character|length/i.test(said) ? `${range} characters` : `a number of ${range}`;
	}
	const [, allowed] = /one of(?: the following values)?:? \[?([^\]]+)\]?$/i.exec(said) ?? [];
	if (allowed && !/allowed values/i.test(allowed)) return `one of: ${allowed}`;
	return constraints.find(([pattern]) => pattern.test(said))?.[1];
}

function rangeIn(said: string): string | undefined {
	const [low, high] = [least.exec(said)?.[1], most.exec(said)?.[1]];
	if (low && high) return `${low} to ${high}`;
	if (low) return `at least ${low}`;
	if (high) return `at most ${high}`;
	const [, from, to] = /character|length/i.test(said) ? (between.exec(said) ?? []) : [];
	return from && to ? `${from} to ${to}` : undefined;
}

/** The length of the refused text helps to find it, and does not reveal it. */
function lengthOf(wanted: string, body: unknown, steps: string[]): string {
	if (!wanted.endsWith(' characters')) return '';
	let value = body;
	for (const step of steps) {
		if (Array.isArray(value)) value = (value as unknown[])[Number(step)];
		else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
	}
	return typeof value === 'string' ? `; this has ${[...value].length}` : '';
}
