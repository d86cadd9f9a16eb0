/**
 * The form labels for request fields, keyed by the first part of the call's path and the field's name in
 * lowercase. The path is part of the key because `type` has a different label in each form.
 */
const labels = new Map([
	['templates templateid', 'Template'],
	['templates country', 'Country'],
	['templates inputs', 'Fields'],
	['templates signatories', 'Signatories'],
	['templates staticsignpositions', 'Signature Positions'],
	['identity email', 'Email'],
	['identity type', 'Verification Type'],
	['identity backgroundcheck', 'Background Check'],
	['webhooks url', 'Webhook URL'],
	['webhooks type', 'Event'],
	['webhooks name', 'Name'],
]);

/**
 * Returns the form label for a field named in a rejection (docs/dev/service.md#messages).
 * @param path The path of the rejected call.
 * @param field The service's name for the field. For example, the label of `signatories.0.name` is "Signatory
 * 1, Name".
 * @returns undefined if the form has no such field.
 */
export function labelOfRequestField(path: string, field: string): string | undefined {
	const [, form = ''] = path.split('/');
	const [name = '', ...inside] = field.split(/[./[\]]+/).filter(Boolean);
	const label = labels.get(`${form} ${name.toLowerCase()}`);
	if (inside.length === 0) return label;
	if (label === 'Fields') return `Fields: ${inside.join('.')}`;
	// All other nested fields are in lists, whose labels are numbered from 1.
	const [index = '', entry = ''] = inside;
	const number = /^\d+$/.test(index) ? Number(index) + 1 : undefined;
	if (number && label === 'Signature Positions') return `Signature Position ${number}`;
	if (!number || label !== 'Signatories') return undefined;
	if (entry === '') return `Signatory ${number}`;
	const entryLabel = signatoryLabels.get(entry.toLowerCase());
	return entryLabel && `Signatory ${number}, ${entryLabel}`;
}

const signatoryLabels = new Map([
	['email', 'Email'],
	['name', 'Name'],
]);
