import type { TemplateVariable } from './types';

/** What a request is about, as the form shows its fields. */
export type FormKind = 'document' | 'identity' | 'webhook';

/**
 * The form's labels for the fields of a request's body, by their path in lower case. `#` stands for a
 * place in a list, which people count from 1, and `*` for the rest of the path, behind all that is told
 * apart. So a refusal names a field as the form does (docs/dev/service.md#messages).
 */
const labels: Record<FormKind, Record<string, string>> = {
	document: {
		templateid: 'Template',
		country: 'Country',
		inputs: 'Fields',
		'inputs.*': 'Fields: *',
		signatories: 'Signatories',
		'signatories.#': 'Signatory #',
		'signatories.#.email': 'Signatory #, Email',
		'signatories.#.name': 'Signatory #, Name',
		staticsignpositions: 'Signature Positions',
		'staticsignpositions.#.*': 'Signature Position #',
	},
	identity: {
		email: 'Email',
		type: 'Verification Type',
		backgroundcheck: 'Background Check',
	},
	webhook: {
		url: 'Webhook URL',
		type: 'Event',
		name: 'Name',
	},
};

/** The form's labels that come from the workflow or its template. */
export interface FormLabels {
	variables?: TemplateVariable[];
	/** What the form calls the signatories, in the order of the body. */
	signatories?: string[];
}

/**
 * The form's label for a path in a refusal, such as `signatories.0.name`.
 * @returns undefined if the form has no such field.
 */
export function labelFor(
	kind: FormKind,
	path: string,
	{ variables, signatories }: FormLabels = {},
): string | undefined {
	const steps = path.split(/[./[\]]+/).filter(Boolean);
	const isPlace = (step: string) => /^\d+$/.test(step);
	const pattern = steps.map((step) => (isPlace(step) ? '#' : step.toLowerCase())).join('.');
	const [, label] =
		Object.entries(labels[kind]).find(([key]) =>
			key.endsWith('*') ? pattern.startsWith(key.slice(0, -1)) : pattern === key,
		) ?? [];
	const place = Number(steps.find(isPlace) ?? 0);
	const variable = steps.slice(1).join('.');
	return label
		?.replace(/^Signatory #/, (counted) => signatories?.[place] ?? counted)
		.replace('#', () => String(place + 1))
		.replace('*', () => variables?.find(({ key }) => key === variable)?.label || variable);
}
