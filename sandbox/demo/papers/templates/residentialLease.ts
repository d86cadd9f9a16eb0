import type { SandboxTemplate } from '../../../state/records';

/** v1: signed by a landlord and a tenant, at the positions in the request. */
export const residentialLease: SandboxTemplate = {
	generation: 'v1',
	templateID: '65f1c0de0000000000000101',
	name: 'Residential lease agreement',
	description: 'Open-ended lease of a home between a landlord and a tenant.',
	key: '',
	status: '',
	fields: [
		{ key: 'landlord_name', type: 'text', isRequired: true, label: 'Landlord name' },
		{ key: 'tenant_name', type: 'text', isRequired: true, label: 'Tenant name' },
		{ key: 'property_address', type: 'text', isRequired: true, label: 'Address of the home' },
		{ key: 'start_date', type: 'text', isRequired: true, label: 'Start of the lease' },
		{ key: 'monthly_rent', type: 'text', isRequired: true, label: 'Monthly rent' },
		{ key: 'deposit', type: 'text', isRequired: false, label: 'Deposit' },
	],
	questions: [],
	slots: [],
	body: [
		{
			kind: 'paragraph',
			text: 'This lease is agreed between {{landlord_name}}, referred to below as "the Landlord", and {{tenant_name}}, referred to below as "the Tenant".',
		},
		{
			kind: 'clause',
			title: 'The home',
			text: 'The Landlord lets to the Tenant the home at {{property_address}}, together with the fixtures and keys listed in the handover record. The home may be used only as a residence.',
		},
		{
			kind: 'clause',
			title: 'Term',
			text: 'The lease begins on {{start_date}} and runs until one side ends it. The Tenant may end it on three months’ notice that expires at the end of a calendar month; the Landlord may do so only for the reasons and within the periods that the law provides.',
		},
		{
			kind: 'clause',
			title: 'Rent',
			text: 'The rent is {{monthly_rent}} a month. It is due in advance by the third working day of each month and is paid to the account that the Landlord names in writing.',
		},
		{
			kind: 'clause',
			title: 'Running costs',
			text: 'Heating, water, waste and the cleaning of shared areas are paid in monthly advances. The Landlord accounts for them once a year and settles the difference within thirty days of the statement.',
		},
		{
			kind: 'clause',
			title: 'Deposit',
			text: 'The Tenant pays this deposit: {{deposit|none}}. The Landlord holds any deposit separately from the Landlord’s own money, and returns it within sixty days after the lease ends, less the cost of repairing damage beyond ordinary wear and tear.',
		},
		{
			kind: 'clause',
			title: 'Care and repairs',
			text: 'The Tenant treats the home with care and reports defects without delay. The Landlord keeps the building and its installations in good repair and announces visits by tradespeople at least two days ahead, except in an emergency.',
		},
		{
			kind: 'clause',
			title: 'Changes to the home',
			text: 'Alterations that cannot be undone without a trace need the Landlord’s written consent. Unless agreed otherwise, the Tenant removes them at the end of the lease.',
		},
		{
			kind: 'clause',
			title: 'Use and subletting',
			text: 'The Tenant may not sublet the home or a part of it without the Landlord’s consent. Consent is not refused without a fair reason. The house rules handed over with this lease apply.',
		},
		{
			kind: 'clause',
			title: 'End of the lease',
			text: 'On the last day the Tenant hands back the home empty and clean, with all keys. Both sides record its condition and the meter readings together.',
		},
		{
			kind: 'clause',
			title: 'Final provisions',
			text: 'Changes to this lease are made in writing and signed by both sides. If a provision is invalid, the others remain in force.',
		},
	],
};
