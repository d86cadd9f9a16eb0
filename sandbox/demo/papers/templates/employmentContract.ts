import type { SandboxTemplate } from '../../../state/records';

/** A version 2 template with one signatory, the new hire. The onboarding demo uses this template. */
export const employmentContract: SandboxTemplate = {
	version: 'v2',
	templateID: '65f1c0de0000000000000201',
	name: 'Employment contract',
	description: 'Full-time employment, signed by the new hire.',
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
	signaturePlaces: [{ key: 'employee', label: 'Employee' }],
	body: [
		{
			kind: 'paragraph',
			text: 'This Employment Contract (this “Agreement”) is made between {{employer|the employer issuing it}} (the “Company”) and {{employee_name}} (the “Employee”) and takes effect on the date the Employee signs it.',
		},
		{
			kind: 'clause',
			title: 'Position and Duties',
			text: 'The Company will employ the Employee in the position of {{role}}. The Employee shall perform the duties that are customary for this position and any other duties that the Company reasonably assigns.',
		},
		{
			kind: 'clause',
			title: 'Start Date',
			text: 'Employment begins on {{start_date}} and has no fixed term. The first ninety days are an introductory period.',
		},
		{
			kind: 'clause',
			title: 'Place of Work',
			text: 'The Employee’s primary place of work is {{workplace|the Company’s main office}}. Working from any other location requires the prior written approval of the Employee’s manager.',
		},
		{
			kind: 'clause',
			title: 'Working Hours',
			text: 'The position is full-time, at forty hours per week, normally Monday through Friday. Overtime must be approved in advance and will be paid as required by law.',
		},
		{
			kind: 'clause',
			title: 'Compensation',
			text: 'The Company shall pay the Employee the salary stated in the offer letter that the Employee accepted, less applicable taxes and withholdings, in accordance with the Company’s regular payroll schedule.',
		},
		{
			kind: 'clause',
			title: 'Paid Time Off',
			text: 'The Employee is entitled to twenty days of paid time off per calendar year, in addition to Company holidays. Paid time off is prorated in the first and last calendar years of employment.',
		},
		{
			kind: 'clause',
			title: 'Sick Leave',
			text: 'If illness prevents the Employee from working, the Employee shall notify the Company before the start of the workday. The Company may request a doctor’s note for any absence of three or more consecutive workdays.',
		},
		{
			kind: 'clause',
			title: 'Confidentiality',
			text: 'During employment and after it ends, the Employee shall not disclose confidential information about the Company’s business or customers, or use it for any purpose other than performing the Employee’s duties. Information that is publicly available through no fault of the Employee is not confidential.',
		},
		{
			kind: 'clause',
			title: 'Intellectual Property',
			text: 'To the extent permitted by law, all work product that the Employee creates within the scope of employment is the sole property of the Company, and the Employee hereby assigns to the Company all rights in it. The salary is full compensation for this assignment.',
		},
		{
			kind: 'clause',
			title: 'Termination',
			text: 'Employment is at will, which means that either party may end it at any time, with or without cause. Whenever possible, each party will give the other two weeks’ written notice.',
		},
		{
			kind: 'clause',
			title: 'General Provisions',
			text: 'This Agreement may be amended only in writing. If any provision is held to be unenforceable, the remaining provisions remain in full force and effect.',
		},
	],
};
