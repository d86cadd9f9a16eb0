import type { TemplateVariable } from './types';

/** What a request is about, as the form shows its fields. */
export type FormKind = 'document' | 'identity' | 'webhook';

/** The form's labels for the fields of a request's body, by their names in lower case. */
const labels: Record<FormKind, Map<string, string>> = {
	document: new Map([
		['templateid', 'Template'],
		['country', 'Country'],
		['inputs', 'Fields'],
		['signatories', 'Signatories'],
		['staticsignpositions', 'Signature Positions'],
	]),
	identity: new Map([
		['email', 'Email'],
		['type', 'Verification Type'],
		['backgroundcheck', 'Background Check'],
	]),
	webhook: new Map([
		['url', 'Webhook URL'],
		['type', 'Event'],
		['name', 'Name'],
	]),
};

/** The entries of a signatory. */
const entries = new Map([
	['email', ', Email'],
	['name', ', Name'],
]);

/** The form's labels that come from the workflow or its template. */
export interface FormLabels {
	variables?: TemplateVariable[];
	/** What the form calls the signatories, in the order of the body. */
	signatories?: string[];
}

/**
 * The form's label for a path in a refusal (docs/dev/service.md#messages), such as `signatories.0.name`.
 * @returns undefined if the form has no such field.
 */
export function labelFor(
	kind: FormKind,
	path: string,
	{ variables, signatories }: FormLabels = {},
): string | undefined {
	const [name = '', ...inside] = path.split(/[./[\]]+/).filter(Boolean);
	const label = labels[kind].get(name.toLowerCase());
	if (inside.length === 0) return label;
	if (label === 'Fields') {
		const key = inside.join('.');
		return `${label}: ${variables?.find((variable) => variable.key === key)?.label || key}`;
	}
	const [place = '', entry, ...further] = inside;
	if (!/^\d+$/.test(place)) return undefined;
	// People count from 1.
	const number = Number(place) + 1;
	if (label === 'Signature Positions' && entry) return `Signature Position ${number}`;
	if (label !== 'Signatories' || further.length > 0) return undefined;
	const who = signatories?.[Number(place)] ?? `Signatory ${number}`;
	if (entry === undefined) return who;
	const suffix = entries.get(entry.toLowerCase());
	return suffix && who + suffix;
}
