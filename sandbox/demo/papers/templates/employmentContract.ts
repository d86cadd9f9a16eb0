import type { SandboxTemplate } from '../../../state/records';

/** v2: one signatory, the new hire. The onboarding demo creates its document from this template. */
export const employmentContract: SandboxTemplate = {
	generation: 'v2',
	templateID: '65f1c0de0000000000000201',
	name: 'Employment contract',
	description: 'Permanent employment, signed by the new hire.',
	key: 'employment_contract',
	status: 'ACTIVE',
	fields: [
		{ key: 'employee_name', type: 'text', isRequired: true, label: 'Employee name' },
		{ key: 'role', type: 'text', isRequired: true, label: 'Job title' },
		{ key: 'start_date', type: 'text', isRequired: true, label: 'Start date' },
		{ key: 'employer', type: 'text', isRequired: false, label: 'Employer' },
		{ key: 'workplace', type: 'text', isRequired: false, label: 'Workplace' },
	],
	questions: [],
	slots: [{ key: 'employee', label: 'Employee' }],
	body: [
		{
			kind: 'paragraph',
			text: 'This contract of employment is made between {{employer|the employer that sends this contract}}, referred to below as "the Company", and {{employee_name}}, referred to below as "the Employee". It takes effect once the Employee has signed it.',
		},
		{
			kind: 'clause',
			title: 'Position',
			text: 'The Employee is engaged as {{role}}. The duties are those usual for this position and those that the Company may reasonably assign, provided that they match the Employee’s skills and experience.',
		},
		{
			kind: 'clause',
			title: 'Start and trial period',
			text: 'Employment begins on {{start_date}} and has no fixed end. The first three months are a trial period, during which either side may end the employment with two weeks’ notice.',
		},
		{
			kind: 'clause',
			title: 'Place of work',
			text: 'The usual place of work is {{workplace|the Company’s main office}}. Work from another place needs the agreement of the line manager, given in writing.',
		},
		{
			kind: 'clause',
			title: 'Working time',
			text: 'The regular working time is forty hours a week, spread over five days. Overtime is worked only on request and is made up for by time off within the following three months.',
		},
		{
			kind: 'clause',
			title: 'Remuneration',
			text: 'The salary is the one stated in the offer letter that the Employee accepted. It is paid in arrears on the last working day of each month, after the deductions that the law requires.',
		},
		{
			kind: 'clause',
			title: 'Paid leave',
			text: 'The Employee is entitled to twenty-five working days of paid leave in each calendar year, in addition to public holidays. In the first and the last year the entitlement is reduced in proportion to the months worked.',
		},
		{
			kind: 'clause',
			title: 'Illness',
			text: 'The Employee tells the Company about an absence and its expected length before the working day begins. From the third day of absence, the Employee provides a medical certificate.',
		},
		{
			kind: 'clause',
			title: 'Confidentiality',
			text: 'The Employee keeps secret whatever is learned about the business and the customers of the Company and is not publicly known. This duty continues after the employment has ended.',
		},
		{
			kind: 'clause',
			title: 'Work results',
			text: 'Rights in everything that the Employee creates in the course of the work belong to the Company from the moment of creation, as far as the law allows. The salary covers this transfer.',
		},
		{
			kind: 'clause',
			title: 'Notice',
			text: 'After the trial period either side may end the employment on one month’s notice that expires at the end of a calendar month. Notice is given in writing. The right to end the employment immediately for a serious reason is not affected.',
		},
		{
			kind: 'clause',
			title: 'Final provisions',
			text: 'Changes to this contract are made in writing. If a provision is invalid, the others remain in force, and a valid provision that comes closest to its purpose replaces it.',
		},
	],
};
