import type { SandboxTemplate } from '../documents/types';
import { logEntry } from '../service/documentResource';
import type { DocumentRecord, SignatoryRecord } from '../state/records';
import { newId, newSecret } from '../util/ids';
import { COUNTRIES, FIRST_NAMES, LAST_NAMES, pick, plain } from './words';

const DAY = 24 * 60 * 60 * 1000;
/** The made-up documents spread over this many days before now. */
const DAYS_BACK = 365;
const SIGNED_BYTES = 30_000;

/**
 * Made-up documents, oldest first, of which a third is completed and a third begun. No mail goes
 * out and no file is printed for them: the hash of a completed one is found when its file is first
 * asked for.
 *
 * @param from Index of the first one, for adding to those that are there.
 * @param to Index behind the last one.
 * @param now epoch-ms
 */
export function madeUpDocuments(
	templates: SandboxTemplate[],
	from: number,
	to: number,
	now: number,
): DocumentRecord[] {
	const usable = templates.filter(
		({ generation, status }) => generation === 'v1' || status === 'ACTIVE',
	);
	const start = now - DAYS_BACK * DAY;
	const step = (DAYS_BACK * DAY) / Math.max(1, to);
	return Array.from({ length: to - from }, (_, offset) => {
		const index = from + offset;
		const template = usable[(index * 13) % usable.length];
		if (!template) throw new Error('There is no template to make documents from');
		return madeUpDocument(index, template, Math.floor(start + index * step), now);
	});
}

function madeUpDocument(
	index: number,
	template: SandboxTemplate,
	createdAt: number,
	now: number,
): DocumentRecord {
	const documentID = newId();
	const count = 1 + (index % 3);
	const signed = [count, Math.floor(count / 2), 0][Math.floor(index / 3) % 3] ?? 0;
	const signatories = Array.from({ length: count }, (_, at) =>
		madeUpSignatory(index * 3 + at, now, at < signed ? createdAt + (at + 1) * 60_000 : undefined),
	);
	const completedAt = signed === count ? createdAt + count * 60_000 : undefined;
	const modifiedAt = createdAt + signed * 60_000;
	const log = [
		logEntry(documentID, 'CREATED', { name: 'seed', email: '' }, createdAt),
		...signatories.map((one) => logEntry(documentID, 'SENT_FOR_SIGNATURE', one, createdAt)),
		...signatories
			.filter(({ signedAt }) => signedAt !== undefined)
			.map((one) => logEntry(documentID, 'SIGNED', one, one.signedAt ?? createdAt)),
	];
	return {
		documentID,
		templateID: template.templateID,
		title: `${template.name} – ${signatories[0]?.name ?? ''}`,
		inputs: Object.fromEntries(
			template.fields.map(({ key, label }) => [key, `${label} ${index + 1}`]),
		),
		country: pick(COUNTRIES, index),
		positions: [],
		signatories,
		createdAt,
		modifiedAt,
		...(completedAt === undefined ? {} : { completedAt }),
		documentHash: '',
		signedBytes: completedAt === undefined ? 0 : SIGNED_BYTES,
		log,
	};
}

function madeUpSignatory(
	index: number,
	now: number,
	signedAt: number | undefined,
): SignatoryRecord {
	const first = pick(FIRST_NAMES, index);
	const last = pick(LAST_NAMES, index);
	const name = `${first} ${last}`;
	return {
		id: newId(),
		signatoryID: newId(),
		name,
		email: `${plain(first)}.${plain(last)}.${index + 1}@example.com`,
		token: newSecret(),
		linkExpiresAt: now + 30 * DAY,
		mailed: true,
		answers: {},
		...(signedAt === undefined ? {} : { signedAt, mark: { kind: 'typed' as const, text: name } }),
	};
}
