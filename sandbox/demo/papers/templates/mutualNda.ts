import type { SandboxTemplate } from '../../../state/records';

/** v2: two signatories, and questions that each of them answers before signing. */
export const mutualNda: SandboxTemplate = {
	generation: 'v2',
	templateID: '65f1c0de0000000000000202',
	name: 'Mutual non-disclosure agreement',
	description: 'Two parties exchange confidential information for a stated purpose.',
	key: 'mutual_nda',
	status: 'ACTIVE',
	fields: [
		{ key: 'first_party', type: 'text', isRequired: true, label: 'First party' },
		{ key: 'second_party', type: 'text', isRequired: true, label: 'Second party' },
		{ key: 'purpose', type: 'text', isRequired: true, label: 'Purpose of the exchange' },
		{ key: 'effective_date', type: 'text', isRequired: true, label: 'Effective date' },
	],
	questions: [
		{
			key: 'registration_number',
			type: 'text',
			isRequired: true,
			label: 'Registration number of the company you sign for',
		},
		{
			key: 'position',
			type: 'text',
			isRequired: false,
			label: 'Your position in the company',
		},
	],
	slots: [
		{ key: 'first_party', label: 'First party' },
		{ key: 'second_party', label: 'Second party' },
	],
	body: [
		{
			kind: 'paragraph',
			text: 'This agreement is made between {{first_party}} and {{second_party}}, each referred to below as "a Party". It takes effect on {{effective_date}}.',
		},
		{
			kind: 'clause',
			title: 'Purpose',
			text: 'The Parties intend to share information with each other for the following purpose: {{purpose}}. The information may be used for this purpose only.',
		},
		{
			kind: 'clause',
			title: 'Confidential information',
			text: 'Confidential information is everything that a Party discloses in connection with the purpose, in any form, and that is marked as confidential or would be understood as such by a reasonable person.',
		},
		{
			kind: 'clause',
			title: 'Duties of the recipient',
			text: 'The recipient keeps the information secret, protects it with the care that it uses for its own secrets and at least with reasonable care, and copies it only as far as the purpose requires.',
		},
		{
			kind: 'clause',
			title: 'People involved',
			text: 'The recipient may pass the information to employees and advisers who need it for the purpose and are bound to secrecy. The recipient is liable for their conduct as for its own.',
		},
		{
			kind: 'clause',
			title: 'Exceptions',
			text: 'These duties do not cover information that is public without a breach, that the recipient already knew, that it received lawfully from others, or that it developed on its own without using the information.',
		},
		{
			kind: 'clause',
			title: 'Disclosure required by law',
			text: 'Where a law or a court requires disclosure, the recipient tells the other Party in advance, as far as this is permitted, and discloses no more than what is required.',
		},
		{
			kind: 'clause',
			title: 'Return and deletion',
			text: 'On request the recipient returns or deletes the information within thirty days and confirms this in writing. Copies in routine backups may remain until they are overwritten; they stay confidential.',
		},
		{
			kind: 'clause',
			title: 'No rights granted',
			text: 'Disclosure transfers no rights in the information and obliges neither Party to enter into any further agreement.',
		},
		{
			kind: 'clause',
			title: 'Duration',
			text: 'This agreement applies for two years from the effective date. The duty to keep information secret continues for three years after that.',
		},
	],
};
