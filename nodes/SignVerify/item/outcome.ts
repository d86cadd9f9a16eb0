import type { IDataObject } from 'n8n-workflow';

import { quoted } from '../util/redact';
import { type EventSubject, nounOf } from '../api/events';
import { cutText } from '../util/text';
import { isObject } from '../util/values';

/** The outcomes with which a wait ends. */
export type WaitOutcome = 'timedOut' | 'ended' | 'completed';

/** The words that an item's `outcome` can be. Saved workflows compare them, so they must never change. */
type Outcome = 'failed' | 'check' | 'skipped' | 'nothing' | WaitOutcome | 'test' | 'sent';

export interface ItemFate {
	about: EventSubject;
	key?: string | undefined;
	/**
	 * Why the item failed: because of one of its values, because of the file that it comes from, after it had been
	 * sent, or for any other reason. If the operation only waits, every reason counts as `waiting`.
	 */
	failed?: 'value' | 'file' | 'afterSending' | 'otherwise' | 'waiting' | undefined;
	mayHaveBeenCreated?: boolean | undefined;
	/**
	 * What used the key of a skipped item: an earlier execution, or another item of the run. It's `uncompared` if
	 * an earlier execution has used it, but it can't be known whether for the same people.
	 */
	skipped?: 'earlier' | 'twin' | 'uncompared' | undefined;
	/** Why an item's people can't be compared: the message of its error. */
	mistake?: string | undefined;
	nothingSent?: 'unsentInTestRun' | 'neverSent' | undefined;
	/** The address that got everything in a test. */
	testRecipient?: string | undefined;
	/** How the wait ended. `completed` means that everyone has signed, or that the person passed. */
	wait?: WaitOutcome | undefined;
	/** The names of people whose valid signature a completed document lacks. */
	withoutSignature?: string | undefined;
	hasWarnings?: boolean | undefined;
}

interface OutcomeRow {
	/** Whether the node has sent the item. Of an operation that only waits, this says nothing. */
	wasSent: 'yes' | 'no' | 'unknown';
	/**
	 * What to do, for people who don't know the workflow. A note quotes nothing of the service but people's names, and
	 * what a {@link ItemFate.mistake} quotes.
	 */
	note?(fate: ItemFate): string | undefined;
}

/** An outcome that an item has without a wait. */
interface RowWithoutWait extends OutcomeRow {
	endsWait: false;
	applies(fate: ItemFate): boolean;
}

/** It applies if {@link ItemFate.wait} is this outcome. */
interface RowOfWait extends OutcomeRow {
	endsWait: true;
}

const againAfterSaving = 'save the list as CSV UTF-8 and send it again';

/** An operation that only waits doesn't speak of sending, because another node has sent what it waits for. */
export function noteOfFailedWait(about: EventSubject): string {
	return `Waiting for ${nounOf[about]} failed, so check it in your provider's account before you start another one.`;
}

const notesOfFailures = {
	value: "This wasn't sent, because a value is missing or looks wrong, so check it and try again.",
	file: `This wasn't sent, because the file can't be read, so ${againAfterSaving}.`,
	afterSending:
		"This was sent, so don't send it again, but check in your provider's account whether it has been signed.",
	otherwise:
		"This wasn't sent, because something went wrong, so try again, and if it fails again, ask the person who set this up.",
};

const notesOfNothingSent = {
	unsentInTestRun: 'Nothing was sent, because this is a test.',
	neverSent: 'This was only checked, so nothing was sent yet.',
};

const notesOfTests: Record<EventSubject, string> = {
	document: 'the document went to',
	identity: 'the verification is for',
};

const notesOfTimeouts: Record<EventSubject, string> = {
	document:
		"Your provider didn't report in time that everyone has signed, so check the document in your provider's account before you remind anyone or send it again.",
	identity:
		"Your provider didn't report a result in time, so check the verification in your provider's account before you request another one.",
};

const notesOfEnds: Record<EventSubject, string> = {
	document:
		"The document ended without a valid signature from everyone, so check in your provider's account what happened before you send it again.",
	identity:
		"The verification ended, but your provider didn't report that the person passed, so check the result in your provider's account before you turn anyone down or request another one.",
};

const maxShownKeyLength = 60;
const maxShownMistakeLength = 400;

function shownKey({ key = '' }: ItemFate): string {
	return quoted(cutText(key, maxShownKeyLength));
}

function noteOfUnsure(fate: ItemFate): string {
	if (fate.failed === 'afterSending') return notesOfFailures.afterSending;
	// The workflow would skip an item whose key may have been used.
	const again = fate.key === undefined ? 'send it again' : 'send it from that account';
	const [what, found] =
		fate.skipped === 'earlier'
			? [
					`${shownKey(fate)} may have been sent already, to the same people or to others`,
					"if it's there for the same people",
				]
			: ['This may have been sent', "if it's there"];
	return `${what}, so look for ${nounOf[fate.about]} in your provider's account: ${found}, don't send it again, and if it isn't, ${again}.`;
}

/** Advises no other key, because with another one, a row that was only damaged would go to the same people again. */
function noteOfUncompared(fate: ItemFate): string {
	return `${shownKey(fate)} has already been sent, but it isn't known whether to these people, so correct this mistake and try again: ${cutText(fate.mistake ?? '', maxShownMistakeLength)}.`;
}

/** Everything that the node knows about each outcome of an item. The first one that applies to an item is its outcome. */
export const outcomes: {
	readonly [Word in Outcome]: Word extends WaitOutcome ? RowOfWait : RowWithoutWait;
} = {
	failed: {
		wasSent: 'no',
		endsWait: false,
		applies: ({ failed, mayHaveBeenCreated }) => failed !== undefined && !mayHaveBeenCreated,
		note: ({ about, failed = 'otherwise' }) =>
			failed === 'waiting' ? noteOfFailedWait(about) : notesOfFailures[failed],
	},
	check: {
		wasSent: 'unknown',
		endsWait: false,
		applies: ({ mayHaveBeenCreated, skipped }) => mayHaveBeenCreated || skipped === 'uncompared',
		note: (fate) => (fate.mayHaveBeenCreated ? noteOfUnsure(fate) : noteOfUncompared(fate)),
	},
	skipped: {
		wasSent: 'no',
		endsWait: false,
		applies: ({ skipped }) => skipped !== undefined,
		note: (fate) =>
			fate.skipped === 'twin'
				? `${shownKey(fate)} is in the list more than once, and only one of them is sent, so you have nothing to do.`
				: `${shownKey(fate)} has already been sent, so you have nothing to do. If this is another one, send it from your provider's account.`,
	},
	nothing: {
		wasSent: 'no',
		endsWait: false,
		applies: ({ nothingSent }) => nothingSent !== undefined,
		note: ({ nothingSent = 'unsentInTestRun', hasWarnings }) =>
			`${notesOfNothingSent[nothingSent]}${hasWarnings ? ' Before you send it, check each value named in warnings.' : ''}`,
	},
	timedOut: { wasSent: 'yes', endsWait: true, note: ({ about }) => notesOfTimeouts[about] },
	ended: { wasSent: 'yes', endsWait: true, note: ({ about }) => notesOfEnds[about] },
	completed: {
		wasSent: 'yes',
		endsWait: true,
		note: ({ withoutSignature }) =>
			withoutSignature === undefined
				? undefined
				: `Your provider reports that the document is completed, but no valid signature of ${quoted(withoutSignature)}, so check it in your provider's account before you rely on it.`,
	},
	test: {
		wasSent: 'yes',
		endsWait: false,
		applies: ({ testRecipient }) => testRecipient !== undefined,
		note: ({ about, testRecipient }) => `This was a test: ${notesOfTests[about]} ${testRecipient}.`,
	},
	sent: { wasSent: 'yes', endsWait: false, applies: () => true },
};

/**
 * Returns an item's outcome, its note, which says what to do, and a test's recipient. Nothing else creates these
 * fields. On an item that failed, they belong in `error`, because n8n sends an item with other fields next to `error`
 * to the success output.
 */
export function outcomeFields(fate: ItemFate): IDataObject {
	const [outcome, row] =
		Object.entries(outcomes).find(([word, one]) =>
			one.endsWait ? fate.wait === word : one.applies(fate),
		) ?? [];
	const note = row?.note?.(fate);
	const { testRecipient } = fate;
	return {
		outcome,
		...(testRecipient === undefined ? {} : { testRecipient }),
		...(note === undefined ? {} : { note }),
	};
}

/**
 * Whether an output of this node shows an item that was sent, or that may have been, which is also true of an outcome
 * that this version doesn't know.
 */
export function mayBeSent(json: IDataObject): boolean {
	const { outcome } = isObject(json.error) ? json.error : json;
	return !Object.entries(outcomes).some(
		([word, { wasSent }]) => word === outcome && wasSent === 'no',
	);
}

/** The place of all fields that have none of their own, such as IDs, times, and links. */
const others = '…';
/** What a person looks for first comes first, because n8n's table shows only a few columns. */
const outputOrder = [
	...['outcome', 'sendOnceKey', 'signatories', 'email', 'fields', 'warnings', 'title'],
	...[others, 'note', 'input'],
];

const placeInOutput = (name: string) =>
	outputOrder.indexOf(outputOrder.includes(name) ? name : others);

/** Orders the fields of an item of an operation that sends or waits. */
export function inOutputOrder(json: IDataObject): IDataObject {
	const fields = Object.entries(json).sort(
		([left], [right]) => placeInOutput(left) - placeInOutput(right),
	);
	return Object.fromEntries(fields);
}
