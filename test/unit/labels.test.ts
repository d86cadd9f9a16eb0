import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { type FormKind, labelFor } from '../../nodes/SignVerify/api/labels';

const variables = new Map([
	['start_date', 'Start Date'],
	['a.b', 'A of B'],
]);

test.each<[FormKind, string, string | undefined]>([
	['document', 'templateID', 'Template'],
	['document', 'inputs', 'Fields'],
	['document', 'inputs.start_date', 'Fields: Start Date'],
	['document', 'inputs.a.b', 'Fields: A of B'],
	['document', '/signatories/0', 'Signatory 1'],
	['document', 'signatories[1].name', 'Signatory 2, Name'],
	['document', 'signatories.1.phone', undefined],
	['document', 'staticSignPositions.2.coordinates.x', 'Signature Position 3, Left'],
	['document', 'staticSignPositions.0.user.email', 'Signature Position 1, Signatory Email'],
	['document', 'staticSignPositions.0.viewport.width', 'Signature Position 1'],
	['document', 'toString', undefined],
	['document', '', undefined],
	['identity', 'backgroundCheck', 'Background Check'],
	['identity', 'type', 'Verification Type'],
	['webhook', 'type', 'Event'],
])('%s: %s is called %s', (kind, path, label) => {
	expect(labelFor(kind, path, { variables })).toBe(label);
});

test('a signatory has the role of its place', () => {
	const signatories = ['Employer', 'Employee'];
	expect(labelFor('document', 'signatories.1.email', { signatories })).toBe('Employee, Email');
	expect(labelFor('document', 'signatories.2.email', { signatories })).toBe('Signatory 3, Email');
});

test('the labels of single fields are those of the form', () => {
	const form = JSON.stringify(new SignVerify().description.properties);
	const paths: Array<[FormKind, string[]]> = [
		['document', ['templateID', 'country', 'inputs', 'signatories', 'staticSignPositions']],
		['identity', ['email', 'type', 'backgroundCheck']],
		['webhook', ['url', 'type', 'name']],
	];
	for (const [kind, names] of paths) {
		for (const name of names) {
			expect(form).toContain(`"displayName":"${labelFor(kind, name)}"`);
		}
	}
});
