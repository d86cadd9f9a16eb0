import type { SandboxTemplate } from '../../../state/records';

/** A version 1 template, signed by a landlord and a tenant at the positions given in the request. */
export const residentialLease: SandboxTemplate = {
	version: 'v1',
	templateID: '65f1c0de0000000000000101',
	name: 'Residential lease agreement',
	description: 'Month-to-month lease between a landlord and a tenant.',
	key: '',
	status: '',
	fields: [
		{ key: 'landlord_name', type: 'text', isRequired: true, label: 'Landlord name' },
		{ key: 'tenant_name', type: 'text', isRequired: true, label: 'Tenant name' },
		{ key: 'property_address', type: 'text', isRequired: true, label: 'Property address' },
		{ key: 'start_date', type: 'text', isRequired: true, label: 'Lease start date' },
		{ key: 'monthly_rent', type: 'text', isRequired: true, label: 'Monthly rent' },
		{ key: 'deposit', type: 'text', isRequired: false, label: 'Deposit' },
	],
	questions: [],
	signaturePlaces: [],
	body: [
		{
			kind: 'paragraph',
			text: 'This Residential Lease Agreement (this “Lease”) is entered into between {{landlord_name}} (the “Landlord”) and {{tenant_name}} (the “Tenant”).',
		},
		{
			kind: 'clause',
			title: 'Premises',
			text: 'The Landlord leases to the Tenant the residence at {{property_address}} (the “Premises”), together with the fixtures and keys listed in the move-in checklist. The Tenant shall use the Premises only as a residence.',
		},
		{
			kind: 'clause',
			title: 'Term',
			text: 'This Lease begins on {{start_date}} and continues month to month until terminated. The Tenant may terminate it on thirty days’ written notice. The Landlord may terminate it only on grounds permitted by law and with the notice required by law.',
		},
		{
			kind: 'clause',
			title: 'Rent',
			text: 'The rent is {{monthly_rent}} per month, payable in advance on or before the third day of each month to the account that the Landlord designates in writing.',
		},
		{
			kind: 'clause',
			title: 'Utilities',
			text: 'The Tenant shall pay monthly installments toward the cost of heating, water, trash removal, and cleaning of common areas. Once a year, the Landlord shall provide a statement of the actual costs, and the parties shall settle any difference within thirty days.',
		},
		{
			kind: 'clause',
			title: 'Security Deposit',
			text: 'Security deposit: {{deposit|none}}. The Landlord shall hold any deposit in a separate account and return it within thirty days after this Lease ends, less the cost of repairing damage beyond ordinary wear and tear.',
		},
		{
			kind: 'clause',
			title: 'Maintenance and Repairs',
			text: 'The Tenant shall take good care of the Premises and promptly report any defects. The Landlord shall keep the building and its systems in good repair and give at least two days’ notice before entering the Premises, except in an emergency.',
		},
		{
			kind: 'clause',
			title: 'Alterations',
			text: 'The Tenant shall not make permanent alterations without the Landlord’s prior written consent. Unless the parties agree otherwise, the Tenant shall remove any alterations at the end of this Lease.',
		},
		{
			kind: 'clause',
			title: 'Subletting and House Rules',
			text: 'The Tenant shall not sublet all or part of the Premises without the Landlord’s consent, which shall not be unreasonably withheld. The Tenant shall comply with the house rules provided with this Lease.',
		},
		{
			kind: 'clause',
			title: 'Moving Out',
			text: 'On the last day of this Lease, the Tenant shall return the Premises empty and clean, along with all keys. The parties shall record the condition of the Premises and the meter readings together.',
		},
		{
			kind: 'clause',
			title: 'General Provisions',
			text: 'This Lease may be amended only in a writing signed by both parties. If any provision is held to be unenforceable, the remaining provisions remain in full force and effect.',
		},
	],
};
