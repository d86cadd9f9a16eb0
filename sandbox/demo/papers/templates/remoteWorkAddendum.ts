import type { SandboxTemplate } from '../../../state/records';

/** v2: a draft, to try how a client handles a template that is not ACTIVE. */
export const remoteWorkAddendum: SandboxTemplate = {
	generation: 'v2',
	templateID: '65f1c0de0000000000000204',
	name: 'Remote work addendum',
	description: 'Draft: allows regular work from home in addition to an employment contract.',
	key: 'remote_work_addendum',
	status: 'DRAFT',
	fields: [
		{ key: 'employee_name', type: 'text', isRequired: true, label: 'Employee name' },
		{ key: 'days_per_week', type: 'text', isRequired: true, label: 'Remote days per week' },
		{
			key: 'remote_address',
			type: 'text',
			isRequired: true,
			label: 'Address of the remote workplace',
		},
		{ key: 'effective_date', type: 'text', isRequired: true, label: 'Effective date' },
	],
	questions: [
		{
			key: 'emergency_contact',
			type: 'text',
			isRequired: false,
			label: 'Person to call in an emergency',
		},
	],
	slots: [
		{ key: 'employee', label: 'Employee' },
		{ key: 'employer', label: 'Employer' },
	],
	body: [
		{
			kind: 'paragraph',
			text: 'This addendum supplements the employment contract of {{employee_name}}, referred to below as "the Employee". It applies from {{effective_date}}.',
		},
		{
			kind: 'clause',
			title: 'Remote work',
			text: 'The Employee may work {{days_per_week}} days a week from {{remote_address}}. The days are agreed with the team, and the Employee comes to the office when the work requires it.',
		},
		{
			kind: 'clause',
			title: 'Working time',
			text: 'The working time stays as agreed in the employment contract. The Employee can be reached during core hours and records the hours worked.',
		},
		{
			kind: 'clause',
			title: 'Workplace',
			text: 'The Employee sees to it that the workplace is suitable and safe. The employer may ask for a self-assessment once a year; visits to the home need the Employee’s consent.',
		},
		{
			kind: 'clause',
			title: 'Equipment and costs',
			text: 'The employer provides the equipment that the work needs. Electricity and internet access are covered by a monthly allowance under the current cost policy.',
		},
		{
			kind: 'clause',
			title: 'Data protection',
			text: 'Documents and screens are kept from the view of others. Paper documents with personal data are returned to the office for destruction.',
		},
		{
			kind: 'clause',
			title: 'Ending remote work',
			text: 'Either side may end this addendum with one month’s notice in writing. The employment contract is not affected.',
		},
	],
};
