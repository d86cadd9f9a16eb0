import { logEntry } from '../service/documentResource';
import type { DocumentRecord, SignatoryRecord } from '../state/records';
import { newId, newSecret } from '../util/ids';
import { employmentContract } from './papers/templates/employmentContract';

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Generates one contract for each of the last `count` minutes, oldest first. Every second contract is signed.
 * No emails are sent and no files are printed for these contracts, so the hash of a signed contract is
 * missing until its file is first requested.
 * @param now epoch-ms
 */
export function madeUpDocuments(count: number, now: number): DocumentRecord[] {
	return Array.from({ length: count }, (_, index) =>
		madeUpDocument(index + 1, now - (count - index) * minute, index % 2 === 1),
	);
}

function madeUpDocument(number: number, createdAt: number, isSigned: boolean): DocumentRecord {
	const documentID = newId();
	const { name: title, fields } = employmentContract;
	const name = `Person ${number}`;
	const signatory: SignatoryRecord = {
		id: newId(),
		signatoryID: newId(),
		name,
		email: `person.${number}@example.com`,
		token: newSecret(),
		linkExpiresAt: createdAt + 30 * day,
		mailed: true,
		answers: {},
		...(isSigned ? { signedAt: createdAt, mark: { kind: 'typed', text: name } } : {}),
	};
	const seed = { name: 'seed', email: '' };
	const { signatoryID } = signatory;
	return {
		documentID,
		template: employmentContract,
		title,
		inputs: Object.fromEntries(fields.map(({ key, label }) => [key, `${label} ${number}`])),
		country: 'Mexico',
		positions: [],
		signatories: [signatory],
		createdAt,
		modifiedAt: createdAt,
		...(isSigned ? { completedAt: createdAt } : {}),
		documentHash: '',
		signedBytes: 0,
		log: [
			logEntry(documentID, 'CREATED', seed, createdAt),
			logEntry(documentID, 'SENT_FOR_SIGNATURE', { ...seed, signatoryID }, createdAt),
			...(isSigned ? [logEntry(documentID, 'SIGNED', signatory, createdAt)] : []),
		],
	};
}
