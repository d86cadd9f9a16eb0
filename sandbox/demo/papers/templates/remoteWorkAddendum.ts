import type { SandboxTemplate } from '../../../state/records';

/** A version 2 draft, for testing how a client handles a template that is not ACTIVE. */
export const remoteWorkAddendum: SandboxTemplate = {
	version: 'v2',
	templateID: '65f1c0de0000000000000204',
	name: 'Remote work addendum',
	description: 'Draft: adds regular remote work to an employment contract.',
	key: 'remote_work_addendum',
	status: 'DRAFT',
	fields: [
		{ key: 'employee_name', type: 'text', isRequired: true, label: 'Employee name' },
		{ key: 'days_per_week', type: 'text', isRequired: true, label: 'Remote days per week' },
		{
			key: 'remote_address',
			type: 'text',
			isRequired: true,
			label: 'Remote workplace address',
		},
		{ key: 'effective_date', type: 'text', isRequired: true, label: 'Effective date' },
	],
	questions: [
		{
			key: 'emergency_contact',
			type: 'text',
			isRequired: false,
			label: 'Emergency contact',
		},
	],
	signaturePlaces: [
		{ key: 'employee', label: 'Employee' },
		{ key: 'employer', label: 'Employer' },
	],
	body: [
		{
			kind: 'paragraph',
			text: 'This Remote Work Addendum (this “Addendum”) supplements the employment contract between {{employee_name}} (the “Employee”) and the Employee’s employer (the “Employer”) and takes effect on {{effective_date}}.',
		},
		{
			kind: 'clause',
			title: 'Remote Work',
			text: 'The Employee may work remotely {{days_per_week}} days per week from the following address: {{remote_address}}. The Employee shall coordinate these days with the team and come to the office whenever business needs require it.',
		},
		{
			kind: 'clause',
			title: 'Working Hours',
			text: 'The working hours in the employment contract continue to apply. The Employee shall be available during core business hours and keep a record of all hours worked.',
		},
		{
			kind: 'clause',
			title: 'Workspace',
			text: 'The Employee is responsible for maintaining a safe and suitable workspace. The Employer may request a self-assessment once a year. Visits to the Employee’s home require the Employee’s consent.',
		},
		{
			kind: 'clause',
			title: 'Equipment and Expenses',
			text: 'The Employer shall provide the equipment needed for remote work and pay a monthly stipend for electricity and internet access under its current expense policy.',
		},
		{
			kind: 'clause',
			title: 'Data Security',
			text: 'The Employee shall keep documents and screens out of view of others and return any paper documents that contain personal information to the office for destruction.',
		},
		{
			kind: 'clause',
			title: 'Termination',
			text: 'Either party may terminate this Addendum on thirty days’ written notice. Termination does not affect the employment contract.',
		},
	],
};
