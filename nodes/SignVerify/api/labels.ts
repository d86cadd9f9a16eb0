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
	if (label === 'Fields') return labelOfVariable(inside.join('.'), variables);
	// The others with something inside are lists.
	const [place = '', ...entry] = inside;
	if (!/^\d+$/.test(place)) return undefined;
	if (label === 'Signatories') return labelOfSignatory(Number(place), entry, signatories);
	if (label === 'Signature Positions' && entry.length > 0) {
		return `Signature Position ${Number(place) + 1}`;
	}
	return undefined;
}

function labelOfVariable(key: string, variables: TemplateVariable[] = []): string {
	const found = variables.find((variable) => variable.key === key);
	return `Fields: ${found?.label || key}`;
}

/** @param index From 0. People count from 1. */
function labelOfSignatory(index: number, entry: string[], signatories: string[] = []) {
	const who = signatories[index] ?? `Signatory ${index + 1}`;
	switch (entry.join('.').toLowerCase()) {
		case '':
			return who;
		case 'email':
			return `${who}, Email`;
		case 'name':
			return `${who}, Name`;
		default:
			return undefined;
	}
}
