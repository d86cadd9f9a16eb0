import type { SandboxTemplate } from '../../../state/records';

/** v1: a client orders services from a consultant. */
export const consultingAgreement: SandboxTemplate = {
	generation: 'v1',
	templateID: '65f1c0de0000000000000102',
	name: 'Consulting agreement',
	description: 'Order for consulting services at a fixed fee.',
	key: '',
	status: '',
	fields: [
		{ key: 'client_name', type: 'text', isRequired: true, label: 'Client name' },
		{ key: 'consultant_name', type: 'text', isRequired: true, label: 'Consultant name' },
		{ key: 'services', type: 'text', isRequired: true, label: 'Description of the services' },
		{ key: 'fee', type: 'text', isRequired: true, label: 'Fee' },
		{ key: 'completion_date', type: 'text', isRequired: false, label: 'Completion date' },
	],
	questions: [],
	slots: [],
	body: [
		{
			kind: 'paragraph',
			text: '{{client_name}}, referred to below as "the Client", orders the services described here from {{consultant_name}}, referred to below as "the Consultant", on the following terms.',
		},
		{
			kind: 'clause',
			title: 'Services',
			text: 'The Consultant provides the following services: {{services}}. The Consultant decides how the work is done, works with professional care and keeps the Client informed of progress.',
		},
		{
			kind: 'clause',
			title: 'Schedule',
			text: 'Date of completion: {{completion_date|within a reasonable time}}. Each side promptly tells the other about anything that may cause a delay.',
		},
		{
			kind: 'clause',
			title: 'Cooperation',
			text: 'The Client provides in good time the information, the access and the decisions that the work depends on, and names one contact person. A delay on the Client’s side moves the schedule by the same length.',
		},
		{
			kind: 'clause',
			title: 'Fee and payment',
			text: 'The fee for the services is {{fee}}, plus any tax that the law requires. Half is invoiced when the work begins and half on acceptance. Invoices are paid within thirty days.',
		},
		{
			kind: 'clause',
			title: 'Expenses',
			text: 'Travel and other expenses are repaid at cost when the Client approved them beforehand and a receipt is provided.',
		},
		{
			kind: 'clause',
			title: 'Acceptance',
			text: 'The Client checks the results within ten working days of delivery and lists any defects. The Consultant corrects them without charge. Results that are not objected to within this time count as accepted.',
		},
		{
			kind: 'clause',
			title: 'Rights in the results',
			text: 'On full payment the Client receives the right to use the results without limit in time or place. The Consultant keeps the rights in methods and tools that existed before.',
		},
		{
			kind: 'clause',
			title: 'Confidentiality',
			text: 'Each side keeps secret what it learns about the other’s business and uses it only for this agreement. This continues for three years after the services end.',
		},
		{
			kind: 'clause',
			title: 'Termination',
			text: 'Either side may end this agreement with fourteen days’ written notice. Work done until then is paid in proportion to the fee.',
		},
	],
};
