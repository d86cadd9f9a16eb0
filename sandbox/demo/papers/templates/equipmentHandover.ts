import type { SandboxTemplate } from '../../../state/records';

/** v2: signed by the person who receives equipment and the person who hands it over. */
export const equipmentHandover: SandboxTemplate = {
	generation: 'v2',
	templateID: '65f1c0de0000000000000203',
	name: 'Equipment handover',
	description: 'Record that work equipment was handed over, with the rules for its use.',
	key: 'equipment_handover',
	status: 'ACTIVE',
	fields: [
		{ key: 'recipient_name', type: 'text', isRequired: true, label: 'Recipient name' },
		{ key: 'equipment', type: 'text', isRequired: true, label: 'Equipment' },
		{ key: 'serial_number', type: 'text', isRequired: true, label: 'Serial number' },
		{ key: 'handover_date', type: 'text', isRequired: true, label: 'Handover date' },
		{ key: 'remarks', type: 'text', isRequired: false, label: 'Condition and remarks' },
	],
	questions: [],
	slots: [
		{ key: 'recipient', label: 'Recipient' },
		{ key: 'issuer', label: 'Handed over by' },
	],
	body: [
		{
			kind: 'paragraph',
			text: 'On {{handover_date}} the following equipment was handed over to {{recipient_name}}, referred to below as "the Recipient".',
		},
		{
			kind: 'clause',
			title: 'Equipment',
			text: 'Handed over: {{equipment}}, serial number {{serial_number}}, with its power supply and the accessories that belong to it.',
		},
		{
			kind: 'clause',
			title: 'Condition',
			text: 'The equipment was checked together and found in working order. Remarks: {{remarks|none}}',
		},
		{
			kind: 'clause',
			title: 'Ownership',
			text: 'The equipment remains the property of the organization that issues it. It may not be lent, sold, or pledged.',
		},
		{
			kind: 'clause',
			title: 'Use',
			text: 'The equipment is meant for work. Occasional private use is allowed as long as it causes no cost and no risk. Security updates are installed when they are offered, and the device is locked when left alone.',
		},
		{
			kind: 'clause',
			title: 'Loss and damage',
			text: 'The Recipient reports loss, theft, and damage on the same day. The Recipient is liable for damage caused intentionally or by gross negligence, but not for ordinary wear and tear.',
		},
		{
			kind: 'clause',
			title: 'Return',
			text: 'The Recipient returns the equipment on request, and no later than the last working day, and removes any private data first.',
		},
	],
};
