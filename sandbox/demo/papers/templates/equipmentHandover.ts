import type { SandboxTemplate } from '../../../state/records';

/**
 * A version 2 template with two signatories: the person who hands over equipment, and the person who receives
 * it.
 */
export const equipmentHandover: SandboxTemplate = {
	version: 'v2',
	templateID: '65f1c0de0000000000000203',
	name: 'Equipment handover',
	description: 'Confirms the equipment an employee received and sets out the rules for its use.',
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
	signaturePlaces: [
		{ key: 'recipient', label: 'Recipient' },
		{ key: 'issuer', label: 'Issuer' },
	],
	body: [
		{
			kind: 'paragraph',
			text: 'This Equipment Handover Agreement confirms that the equipment described below was issued to {{recipient_name}} (the “Recipient”) on {{handover_date}}.',
		},
		{
			kind: 'clause',
			title: 'Equipment',
			text: 'The following equipment was issued (the “Equipment”): {{equipment}}, serial number {{serial_number}}, together with its power supply and accessories.',
		},
		{
			kind: 'clause',
			title: 'Condition',
			text: 'The Recipient and the issuer inspected the Equipment together and found it to be in good working order. Remarks: {{remarks|none}}',
		},
		{
			kind: 'clause',
			title: 'Ownership',
			text: 'The Equipment remains the property of the issuing organization. The Recipient shall not lend, sell, or pledge it.',
		},
		{
			kind: 'clause',
			title: 'Use',
			text: 'The Equipment is provided for business purposes. Occasional personal use is permitted, provided that it does not create any cost or risk for the organization. The Recipient shall install security updates promptly and lock the Equipment whenever it is unattended.',
		},
		{
			kind: 'clause',
			title: 'Loss and Damage',
			text: 'The Recipient shall report any loss, theft, or damage on the day it is discovered. The Recipient is liable for damage caused by willful misconduct or gross negligence, but not for ordinary wear and tear.',
		},
		{
			kind: 'clause',
			title: 'Return',
			text: 'The Recipient shall remove any personal data and return the Equipment upon request and, in any event, no later than the last day of employment.',
		},
	],
};
