import { type EventType, isIdentityEvent } from '../schemas';
import type { DocumentRecord } from '../state/records';
import type { ClockChange, ClockState, Delivery } from '../types';
import { ClockRangeError, type Clock } from '../util/clock';
import { sha256 } from '../util/ids';
import { readDuration } from '../util/time';
import type { Documents, Files } from './documents';
import type { Events } from './events';
import type { Identity } from './identity';
import { ServiceRefusal } from './refusal';

/**
 * Sets the clock, moves it forward, stops it or lets it run.
 * @throws ServiceRefusal with status 400 if a value is not a time or a duration.
 */
export function changeClock(clock: Clock, { at, advance, frozen }: ClockChange): ClockState {
	const from = at === undefined ? clock.now() : readTime(at);
	try {
		return clock.set(from + readAdvance(advance), frozen);
	} catch (error) {
		if (!(error instanceof ClockRangeError)) throw error;
		throw new ServiceRefusal(400, error.message);
	}
}

function readTime(at: string | number): number {
	const time = typeof at === 'number' ? at : Date.parse(at);
	if (Number.isFinite(time)) return time;
	throw new ServiceRefusal(
		400,
		`"${at}" isn’t a time. Enter a time such as 2027-01-31 or 2027-01-31T09:00:00Z`,
	);
}

function readAdvance(advance: string | number | undefined): number {
	if (advance === undefined) return 0;
	const ms = typeof advance === 'number' ? advance : readDuration(advance);
	if (ms !== undefined && ms >= 0) return ms;
	throw new ServiceRefusal(
		400,
		`"${advance}" isn’t a duration. Enter a duration such as 30d, 90m, or 1d12h`,
	);
}

export interface FireDeps {
	documents: Documents;
	identity: Identity;
	events: Events;
	files: Files;
	clock: Clock;
}

/**
 * Sends any event on demand, without changing the document or the identity request. A completedDocument
 * notification contains a completed document, even if the document in the sandbox is still waiting for
 * signatures.
 * @param id A documentID, or a validationId for an identity event.
 * @throws ServiceRefusal with status 404 if the document or the request does not exist.
 */
export async function fireEvent(
	{ documents, identity, events, files, clock }: FireDeps,
	type: EventType,
	id: string,
): Promise<Delivery[]> {
	if (isIdentityEvent(type)) return events.aboutIdentity(type, identity.existing(id));
	const record = documents.existing(id);
	switch (type) {
		case 'sendDocument':
			return events.sent(record, 0);
		case 'signDocument':
			return events.signed(record, lastSigner(record));
		case 'completedDocument': {
			if (record.documentHash !== '') return events.completed(record);
			const file = await files.file(record, 'document');
			const { completedAt = clock.now() } = record;
			const signed = { documentHash: sha256(file), signedBytes: file.length, completedAt };
			return events.completed({ ...record, ...signed });
		}
		case 'failedBiometric':
		case 'failedBiometricRequest':
		case 'pendingBiometric':
			return events.checked(type, record, {
				index: Math.max(
					record.signatories.findIndex(({ signedAt }) => signedAt === undefined),
					0,
				),
				identitySessionId: identity.checkSignatory(
					type === 'failedBiometric' ? 'fail' : 'manualReview',
				),
				isInvalidSignature: type !== 'pendingBiometric',
				invalidSignatureReason: reasons[type],
			});
		default:
			return events.aboutDocument(type, record);
	}
}

/** Why a signatory's identity check has failed, by event. */
const reasons = {
	pendingBiometric: '',
	failedBiometric: 'The selfie doesn’t match the official ID',
	failedBiometricRequest: 'The image of the official ID can’t be read',
};

/** Returns the index of the signatory who signed last, or 0 if no one has signed yet. */
function lastSigner({ signatories }: DocumentRecord): number {
	const times = signatories.map(({ signedAt }) => signedAt ?? 0);
	return times.indexOf(Math.max(...times));
}
