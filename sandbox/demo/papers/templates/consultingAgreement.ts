import type { SandboxTemplate } from '../../../state/records';

/** A version 1 template in which a client orders services from a consultant. */
export const consultingAgreement: SandboxTemplate = {
	version: 'v1',
	templateID: '65f1c0de0000000000000102',
	name: 'Consulting agreement',
	description: 'Consulting services for a fixed fee.',
	key: '',
	status: '',
	fields: [
		{ key: 'client_name', type: 'text', isRequired: true, label: 'Client name' },
		{ key: 'consultant_name', type: 'text', isRequired: true, label: 'Consultant name' },
		{ key: 'services', type: 'text', isRequired: true, label: 'Description of services' },
		{ key: 'fee', type: 'text', isRequired: true, label: 'Fee' },
		{ key: 'completion_date', type: 'text', isRequired: false, label: 'Completion date' },
	],
	questions: [],
	signaturePlaces: [],
	body: [
		{
			kind: 'paragraph',
			text: 'This Consulting Agreement (this “Agreement”) is entered into between {{client_name}} (the “Client”) and {{consultant_name}} (the “Consultant”).',
		},
		{
			kind: 'clause',
			title: 'Services',
			text: 'The Consultant shall provide the following services (the “Services”): {{services}}. The Consultant shall perform the Services in a professional manner and keep the Client informed of progress, but is otherwise free to decide how to perform them.',
		},
		{
			kind: 'clause',
			title: 'Schedule',
			text: 'Completion date: {{completion_date|within a reasonable time}}. Each party shall promptly notify the other of anything that may cause a delay.',
		},
		{
			kind: 'clause',
			title: 'Client Responsibilities',
			text: 'The Client shall provide, in a timely manner, the information, access, and decisions that the Consultant needs to perform the Services, and shall designate a single point of contact. Any delay caused by the Client extends the schedule accordingly.',
		},
		{
			kind: 'clause',
			title: 'Fees and Payment',
			text: 'The fee for the Services is {{fee}}, plus any applicable taxes. The Consultant shall invoice half of the fee when work begins and the balance upon acceptance. Invoices are due within thirty days of receipt.',
		},
		{
			kind: 'clause',
			title: 'Expenses',
			text: 'The Client shall reimburse travel and other reasonable expenses at cost, provided that the Client approved them in advance and the Consultant submits receipts.',
		},
		{
			kind: 'clause',
			title: 'Acceptance',
			text: 'The Client shall review all deliverables within ten business days of delivery and notify the Consultant of any defects, which the Consultant shall correct at no additional charge. Deliverables are deemed accepted if the Client does not object within this period.',
		},
		{
			kind: 'clause',
			title: 'Intellectual Property',
			text: 'Upon full payment, the Consultant grants the Client a perpetual, worldwide license to use the deliverables. The Consultant retains all rights in its pre-existing methods and tools.',
		},
		{
			kind: 'clause',
			title: 'Confidentiality',
			text: 'Each party shall hold the other party’s confidential information in confidence and use it only to perform this Agreement. This obligation survives for three years after the Services end.',
		},
		{
			kind: 'clause',
			title: 'Termination',
			text: 'Either party may terminate this Agreement on fourteen days’ written notice. The Client shall pay a prorated portion of the fee for all work performed through the termination date.',
		},
	],
};
