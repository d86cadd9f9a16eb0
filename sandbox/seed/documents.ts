import type { SandboxTemplate } from '../documents/types';
import type { DocumentRecord } from '../state/records';
import { composeDocument, DAY, madeUpPerson, MINUTE } from './compose';
import { COUNTRIES, pick } from './words';

/** The made-up documents spread over this many days before now. */
const DAYS_BACK = 365;

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
	const count = 1 + (index % 3);
	const signed = [count, Math.floor(count / 2), 0][Math.floor(index / 3) % 3] ?? 0;
	return composeDocument({
		template,
		inputs: Object.fromEntries(
			template.fields.map(({ key, label }) => [key, `${label} ${index + 1}`]),
		),
		country: pick(COUNTRIES, index),
		createdAt,
		createdBy: 'seed',
		signatories: Array.from({ length: count }, (_, at) => ({
			...madeUpPerson(index * 3 + at),
			// Other than in real life, all of them can be signed, however old they are.
			linkExpiresAt: now + 30 * DAY,
			...(at < signed ? { signedAt: createdAt + (at + 1) * MINUTE } : {}),
		})),
	});
}
