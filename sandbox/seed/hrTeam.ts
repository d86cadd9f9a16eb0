import { employmentContract } from '../documents/templates/employmentContract';
import { equipmentHandover } from '../documents/templates/equipmentHandover';
import { mutualNda } from '../documents/templates/mutualNda';
import { writtenTime } from '../documents/time';
import type { SandboxTemplate } from '../documents/types';
import { ACCOUNT_NAME } from '../service/account';
import type { IdentityRecord } from '../state/records';
import { newId, newSecret } from '../util/ids';
import {
	byId,
	composeDocument,
	composeMails,
	DAY,
	madeUpPerson,
	MINUTE,
	type Person,
	type Signing,
	type ScenarioState,
	type SigningLinks,
} from './compose';
import { COUNTRIES, pick } from './words';

const SIGNED = 12;
const OPEN = 40;
const HEAD_OF_HR: Person = { name: 'Renata Fuentes', email: 'renata.fuentes@example.com' };
const ROLES = ['Driver', 'Warehouse clerk', 'Dispatcher', 'Accountant', 'Developer', 'Nurse'];
const DEVICES = ['Laptop', 'Phone', 'Scanner', 'Tablet'];

/**
 * An HR team in the middle of its work: forty open contracts of the last five weeks, twelve signed
 * ones, the mails to their signatories, and a few identity checks.
 */
export function hrTeam(now: number, links: SigningLinks): ScenarioState {
	const signed = Array.from({ length: SIGNED }, (_, index) =>
		contract(index, now - (70 - index * 2) * DAY, bothSigned),
	);
	const open = Array.from({ length: OPEN }, (_, index) => {
		// From 36 days ago, so that the oldest links have expired, to an hour ago.
		const age = 36 * DAY * (1 - index / OPEN) ** 1.2 + 60 * MINUTE;
		return contract(SIGNED + index, Math.floor(now - age), openState(index));
	});
	const documents = [...signed, ...open];
	const mails = documents.flatMap((one) => composeMails(one, links));
	return {
		templates: 0,
		documents: byId(documents, ({ documentID }) => documentID),
		'identity-requests': byId(identityChecks(now), ({ validationId }) => validationId),
		mails: byId(mails, ({ id }) => id),
	};
}

/** What the employee and the head of HR did, by when the contract was made. */
type Progress = (createdAt: number) => [employee: Signing, head: Signing];

const bothSigned: Progress = (createdAt) => [
	{ viewedAt: createdAt + 30 * MINUTE, signedAt: createdAt + 34 * MINUTE },
	{ viewedAt: createdAt + DAY, signedAt: createdAt + DAY + 2 * MINUTE },
];

/** Every third is signed by the employee alone, some were only read, two mails did not go out. */
function openState(index: number): Progress {
	if (index === 17 || index === 31) {
		return () => [{ mailError: 'The mail server refused the address' }, {}];
	}
	const readAt = 25 * MINUTE;
	if (index % 3 === 0) {
		return (at) => [{ viewedAt: at + readAt, signedAt: at + readAt + 6 * MINUTE }, {}];
	}
	return (at) => [index % 3 === 1 ? { viewedAt: at + readAt } : {}, {}];
}

function contract(index: number, createdAt: number, progress: Progress) {
	const employee = madeUpPerson(index);
	const template = [employmentContract, equipmentHandover, employmentContract, mutualNda][
		index % 4
	];
	if (!template) throw new Error('There is no template for this contract');
	const country = pick(COUNTRIES, index);
	const [ofEmployee, ofHead] = progress(createdAt);
	return composeDocument({
		template,
		inputs: inputsOf(template, index, employee.name, createdAt),
		country,
		createdAt,
		createdBy: HEAD_OF_HR.name,
		signatories: [
			{ ...employee, ...ofEmployee, ...answersOf(template, ofEmployee) },
			{ ...HEAD_OF_HR, ...ofHead, ...answersOf(template, ofHead) },
		],
	});
}

function answersOf({ questions }: SandboxTemplate, { signedAt }: Signing): Signing {
	const required = signedAt === undefined ? [] : questions.filter(({ isRequired }) => isRequired);
	return { answers: Object.fromEntries(required.map(({ key }) => [key, 'EL-2041'])) };
}

function inputsOf(
	template: SandboxTemplate,
	index: number,
	name: string,
	createdAt: number,
): Record<string, string> {
	const dayOf = (time: number) => writtenTime(time).split(',')[0] ?? '';
	const values: Record<string, string> = {
		employee_name: name,
		role: pick(ROLES, index),
		employer: ACCOUNT_NAME,
		workplace: 'Main office',
		recipient_name: name,
		equipment: pick(DEVICES, index),
		serial_number: `SN-${String(4100 + index * 7)}`,
		handover_date: dayOf(createdAt + 7 * DAY),
		remarks: 'New',
		first_party: ACCOUNT_NAME,
		second_party: name,
		purpose: 'Preparing the employment',
		effective_date: dayOf(createdAt + 7 * DAY),
		start_date: dayOf(createdAt + 30 * DAY),
	};
	return Object.fromEntries(template.fields.map(({ key }) => [key, values[key] ?? '–']));
}

function identityChecks(now: number): IdentityRecord[] {
	const states: Array<Pick<IdentityRecord, 'status' | 'outcome' | 'scores'>> = [
		{ status: 'COMPLETED', outcome: 'pass' },
		{ status: 'COMPLETED', outcome: 'fail', scores: { faceRecognition: 12 } },
		{ status: 'COMPLETED', outcome: 'pass', scores: { liveness: 71 } },
		{ status: 'IN_PROGRESS', outcome: 'manualReview' },
		{ status: 'IN_PROGRESS' },
		{ status: 'CREATED' },
	];
	return states.map((state, index) => ({
		validationId: newId(),
		token: newSecret(),
		email: madeUpPerson(SIGNED + OPEN - states.length + index).email,
		type: 'FACE',
		backgroundCheck: index % 2 === 0,
		createdAt: now - (states.length - index) * DAY,
		customerId: state.status === 'COMPLETED' ? newId() : null,
		...state,
	}));
}
