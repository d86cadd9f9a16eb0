import { seedTemplates } from '../documents/templates';
import { mutualNda } from '../documents/templates/mutualNda';
import type { DocumentRecord } from '../state/records';
import {
	byId,
	composeDocument,
	composeMails,
	madeUpPerson,
	MINUTE,
	type ScenarioState,
	type SigningLinks,
} from './compose';
import { madeUpDocuments } from './documents';
import { madeUpTemplates } from './templates';

const TEMPLATES = 1000;
const DOCUMENTS = 3000;
const SIGNATORIES = 25;
/** As many characters as a name may have. */
const LONGEST_NAME = 100;
const MAILS = 1000;

/**
 * An account in which the lists are long, all texts are as long as they may be, and calls are
 * limited: what a workflow meets at a customer who has used the service for years.
 */
export function limits(now: number, links: SigningLinks): ScenarioState {
	const templates = [...seedTemplates(), ...madeUpTemplates(TEMPLATES)];
	const documents = [...madeUpDocuments(templates, 0, DOCUMENTS, now), largeDocument(now)];
	const mails = documents.slice(-MAILS).flatMap((one) => composeMails(one, links));
	return {
		templates: TEMPLATES,
		settings: {
			rateLimit: { perSecond: 5, retryAfter: 1 },
			tokenLifetimeSeconds: 60,
			invalidateOnRenew: true,
			delivery: { retries: 'none' },
		},
		documents: byId(documents, ({ documentID }) => documentID),
		mails: byId(mails.slice(-MAILS), ({ id }) => id),
	};
}

/** Many signatories with the longest names, and inputs that fill pages. */
function largeDocument(now: number): DocumentRecord {
	return composeDocument({
		template: mutualNda,
		inputs: Object.fromEntries(
			mutualNda.fields.map(({ key, label }) => [key, `${label}, in many words. `.repeat(60)]),
		),
		country: 'Mexico',
		createdAt: now - 10 * MINUTE,
		createdBy: 'seed',
		signatories: Array.from({ length: SIGNATORIES }, (_, index) => {
			const { name, email } = madeUpPerson(index);
			return { name: longest(name), email };
		}),
	});
}

function longest(name: string): string {
	return `${name} ${'de la Cruz '.repeat(LONGEST_NAME)}`.slice(0, LONGEST_NAME).replace(/ $/, 'a');
}
