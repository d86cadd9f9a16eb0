import type { GuaranteeName } from '../guarantees/broken';
import type * as notification from '../../../nodes/SignVerify/api/notification';
import type * as identity from '../../../nodes/SignVerify/api/identities';
import type * as errors from '../../../nodes/SignVerify/http/serviceError';
import type * as fileFailures from '../../../nodes/SignVerify/files/fileFailures';
import type * as callFailures from '../../../nodes/SignVerify/http/failures';
import type * as retry from '../../../nodes/SignVerify/http/retry';
import type * as n8nInternals from '../../../nodes/SignVerify/n8nInternals';
import type * as failures from '../../../nodes/SignVerify/operations/runErrors';
import type * as repeatedItems from '../../../nodes/SignVerify/operations/repeatedItems';
import type * as sending from '../../../nodes/SignVerify/operations/sendItem';
import type * as keyStore from '../../../nodes/SignVerify/operations/sendOnceKey';
import type * as runItems from '../../../nodes/SignVerify/operations/parallelItems';
import type * as json from '../../../nodes/SignVerify/util/json';
import type * as redact from '../../../nodes/SignVerify/util/redact';
import type * as webhook from '../../../nodes/SignVerify/registrations/waitWebhooks';
import type * as request from '../../../nodes/SignVerify/events/eventRequest';
import type * as seen from '../../../nodes/SignVerify/events/eventClaims';
import type * as sync from '../../../nodes/SignVerify/registrations/webhookSync';
import type * as templateFilter from '../../../nodes/SignVerify/trigger/templateFilter';
import type * as owner from '../../../nodes/SignVerify/registrations/ownWebhooks';
import type * as webhookSecret from '../../../nodes/SignVerify/registrations/webhookSecret';

/** A bug that is seeded on purpose and that the simulation must find. */
export interface SeededBug {
	/** The name for the command line and the report. */
	name: string;
	/** The consequence for the user, in one sentence. */
	description: string;
	guarantee: GuaranteeName;
	/** The module's path in `nodes/SignVerify/`, without `.ts`. */
	module: string;
	/** For each export to replace, a function that turns the real export into the wrong one. */
	wrong: Record<string, Wrong>;
}

/**
 * @param right The real export of the module.
 * @returns The export that all importers get instead.
 */
export type Wrong = (right: never) => unknown;

/**
 * Describes a bug in a module of the shipped code.
 * @typeParam Module The type of the module. Each replacement must have the same type as the export that it
 * replaces.
 */
function bug<Module extends object>(
	bug: Pick<SeededBug, 'name' | 'description' | 'module'> & {
		wrong: { [Name in keyof Module]?: (right: Module[Name]) => Module[Name] };
	},
): Omit<SeededBug, 'guarantee'> {
	return { ...bug, wrong: bug.wrong as Record<string, Wrong> };
}

/**
 * The bugs, grouped by the guarantee that they break. A run without failures is meaningful only if the
 * simulation can find these bugs.
 */
const bugsByGuarantee: Record<GuaranteeName, Array<Omit<SeededBug, 'guarantee'>>> = {
	'Never sent twice': [
		bug<typeof retry>({
			name: 'creation-retried',
			description:
				'The node creates a document again after the connection broke or the service failed.',
			module: 'http/retry',
			wrong: {
				maxTries: (right) => {
					right.creating.mayHaveWorked = 4;
					return right;
				},
			},
		}),
		bug<typeof n8nInternals>({
			name: 'every-try-sends',
			description: 'With Retry On Fail, every retry sends all items again.',
			module: 'n8nInternals',
			wrong: { oncePerRun: () => async (_execute, work) => await work() },
		}),
		bug<typeof keyStore>({
			name: 'key-not-recorded',
			description: 'The node looks up a Send Once Key, but does not record the key before sending.',
			module: 'operations/sendOnceKey',
			wrong: {
				StoredKey: (right) => {
					right.prototype.claim = right.prototype.state;
					return right;
				},
			},
		}),
	],
	'Nothing is sent while an item is wrong': [
		bug<typeof failures>({
			name: 'right-ones-sent',
			description: 'The correct items are sent although another item is wrong.',
			module: 'operations/runErrors',
			wrong: {
				errorOfChecks: (right) => (context, settled) =>
					settled.some((item) => item?.ok) ? undefined : right(context, settled),
			},
		}),
	],
	'Everything created is reported': [
		bug<typeof failures>({
			name: 'creation-not-reported',
			description: 'A document that may have been created is reported as not created.',
			module: 'operations/runErrors',
			wrong: {
				errorItem: (right) => (error, index, item) => {
					const { json, ...rest } = right(error, index, item);
					const details = { ...(json.error as object), outcome: 'failed' };
					return { ...rest, json: { ...json, error: details } };
				},
			},
		}),
	],
	'Success means done': [
		bug<typeof fileFailures>({
			name: 'page-as-file',
			description: 'A web page about an expired link is stored as the document.',
			module: 'files/fileFailures',
			wrong: { refusalOfFile: () => () => undefined },
		}),
		bug<typeof repeatedItems>({
			name: 'second-person-skipped',
			description:
				'If two people in a list have the same Send Once Key, the second one is skipped as if it were the same person.',
			module: 'operations/repeatedItems',
			wrong: { checkRepeats: () => (checks) => checks },
		}),
		bug<typeof sending>({
			name: 'damaged-row-skipped',
			description:
				"If an item's Send Once Key was used, and its address can't be read, the node skips it as if the person had got it.",
			module: 'operations/sendItem',
			wrong: {
				checkItem: (right) => async (item, operation) => {
					const checked = await right(item, operation);
					return checked.state === 'new' ? checked : { ...checked, mistakeInPeople: undefined };
				},
			},
		}),
		bug<typeof keyStore>({
			name: 'key-of-other-people',
			description:
				'If a Send Once Key is used again for another person, the node skips this person as if the person had got it.',
			module: 'operations/sendOnceKey',
			wrong: {
				StoredKey: (right) => {
					right.prototype.checkPeople = async () => await Promise.resolve();
					return right;
				},
			},
		}),
	],
	'Every item once, in order': [
		bug<typeof runItems>({
			name: 'outputs-by-arrival',
			description: 'An item gets the output of another item that was faster.',
			module: 'operations/parallelItems',
			wrong: {
				runItems: (right) => async (count, work, options) => {
					const arrived: unknown[] = [];
					const settled = await right(
						count,
						async (index) => arrived[arrived.push(await work(index)) - 1] as never,
						options,
					);
					const isDone = settled.every((item) => item?.ok);
					return isDone ? arrived.map((value) => ({ ok: true, value: value as never })) : settled;
				},
			},
		}),
	],
	'An accepted event starts the workflow': [
		bug<typeof seen>({
			name: 'responded-before-stored',
			description:
				'The sender gets HTTP 200 before n8n has stored the execution, so a crash loses the event.',
			module: 'events/eventClaims',
			wrong: {
				claimEvent: (right) => async (key, response, files) => {
					const claim = await right(key, response, files);
					if (!claim.repeated) (response as unknown as { end(): void }).end();
					return claim;
				},
			},
		}),
		bug<typeof templateFilter>({
			name: 'one-id-of-template',
			description: 'A filter knows only one of the IDs that an event may contain for its template.',
			module: 'trigger/templateFilter',
			wrong: {
				readEventFilter: (right) => (form) => {
					const [first] = [form.parameter('filters.templates')].flat();
					return right({ ...form, parameter: () => String(first ?? '').split(',')[0] });
				},
			},
		}),
		bug<typeof seen>({
			name: 'repeats-forgotten',
			description: 'An event that the service sends twice starts the workflow twice.',
			module: 'events/eventClaims',
			wrong: {
				claimEvent: () => async () =>
					await Promise.resolve({ arrivedAt: performance.now(), recordFiles: () => undefined }),
			},
		}),
	],
	'Events are authenticated': [
		bug<typeof webhookSecret>({
			name: 'any-secret',
			description: "A call with any secret starts the trigger's workflow.",
			module: 'registrations/webhookSecret',
			wrong: { isSecret: () => (given) => typeof given === 'string' },
		}),
	],
	'Only its own event or its limit ends a wait': [
		bug<typeof n8nInternals>({
			name: 'branches-share-a-node',
			description:
				'If two branches lead to the same node, n8n skips the node in the second branch after the wait in the first one, so the second person is never asked to sign.',
			module: 'n8nInternals',
			wrong: { waitAlone: () => () => undefined },
		}),
		bug<typeof n8nInternals>({
			name: 'limit-passes-as-done',
			description: 'A document that was not signed in time looks like a signed one in the output.',
			module: 'n8nInternals',
			wrong: {
				passOnAtLimit: (right) => (context, item) =>
					right(context, { ...item, json: { ...item.json, outcome: 'completed' } }),
			},
		}),
		bug<typeof identity>({
			name: 'unfinished-identity',
			description: 'A person who has not even begun counts as verified.',
			module: 'api/identities',
			wrong: { isFinalStatus: () => () => true },
		}),
		bug<typeof errors>({
			name: 'status-of-an-exchange',
			description: 'A rejected token exchange ends a wait as if there were no results.',
			module: 'http/serviceError',
			wrong: {
				ServiceError: (right) => {
					Object.defineProperty(right.prototype, 'serviceStatus', {
						get(this: InstanceType<typeof right>) {
							return this.shownStatus;
						},
					});
					return right;
				},
			},
		}),
		bug<typeof notification>({
			name: 'any-document',
			description: 'The signature of another document ends the wait.',
			module: 'api/notification',
			wrong: { isAboutDocument: () => () => true },
		}),
		bug<typeof notification>({
			name: 'unknown-status-is-completed',
			description: 'A document with a status that no one knows counts as signed.',
			module: 'api/notification',
			wrong: {
				readNotification: (right) => (event, body) => {
					const read = right(event, body);
					const { document } = read;
					if (event !== 'completedDocument' || document?.state !== 'open') return read;
					return { ...read, document: { ...document, state: 'completed' } };
				},
			},
		}),
		bug<typeof webhook>({
			name: 'nothing-registered',
			description: 'An execution waits, and no event ever reaches it.',
			module: 'registrations/waitWebhooks',
			wrong: {
				registerWait: () => async () =>
					await Promise.resolve({
						webhooks: [{ event: 'completedDocument', hash: 'unknown', id: '' }],
						owner: '',
					}),
			},
		}),
	],
	'Webhooks match the published workflows': [
		bug<typeof request>({
			name: 'tested-url-refused',
			description:
				'A service that tests a URL before it registers a webhook gets an error, so it does not register the webhook.',
			module: 'events/eventRequest',
			wrong: {
				readEvent: (right) => async (context, event, secrets) => {
					const reading = await right(context, event, secrets);
					if (reading.isAccepted || reading.response.status !== 200) return reading;
					return { ...reading, response: { ...reading.response, status: 400 } };
				},
			},
		}),
		bug<typeof sync>({
			name: 'all-removed',
			description: 'When a wait ends, the node deletes all webhooks in the account.',
			module: 'registrations/webhookSync',
			wrong: {
				deleteWebhooks: (right) => async (service, known) =>
					await right(service, known, () => true),
			},
		}),
		bug<typeof webhook>({
			name: 'left-behind',
			description: "When an event ends a wait, the wait's webhook stays in the account.",
			module: 'registrations/waitWebhooks',
			wrong: { unregisterWait: () => async () => await Promise.resolve() },
		}),
		bug<typeof callFailures>({
			name: 'status-of-a-gateway',
			description:
				"A webhook stays because a gateway's 404 is mistaken for a response from the service.",
			module: 'http/failures',
			wrong: {
				refused: (right) => (response, action) =>
					right({ ...response, serviceStatus: response.status }, action),
			},
		}),
		bug<typeof sync>({
			name: 'static-data-believed',
			description:
				'A published trigger trusts outdated static data that n8n has written back, so it lacks webhooks.',
			module: 'registrations/webhookSync',
			wrong: {
				syncWebhooks: (right) => async (service, owner, isOwn, known) => {
					const { knownWebhooks } = known;
					const types = new Set(knownWebhooks.map(({ type }) => type));
					const isAll = [...owner.urls.keys()].every(({ type }) => types.has(type));
					if (!isAll) return await right(service, owner, isOwn, known);
					return { webhooks: knownWebhooks, obsolete: [] };
				},
			},
		}),
		bug<typeof webhook>({
			name: 'only-what-is-listed',
			description:
				"A wait deletes its webhook only if the service's list of webhooks already contains it.",
			module: 'registrations/waitWebhooks',
			wrong: {
				unregisterWait:
					(right) =>
					async (service, { webhooks, owner }) =>
						await right(service, {
							webhooks: webhooks.map((webhook) => ({ ...webhook, id: '' })),
							owner,
						}),
			},
		}),
		bug<typeof json>({
			name: 'digits-lost',
			description: 'IDs beyond 2^53 lose digits, so one webhook is mistaken for another.',
			module: 'util/json',
			wrong: { prepareJson: () => (text) => text },
		}),
		bug<typeof owner>({
			name: 'copy-takes-the-original',
			description: 'A copy of a trigger treats the webhooks of its original as its own.',
			module: 'registrations/ownWebhooks',
			wrong: { pointsTo: () => () => (address) => address.includes('/webhook/') },
		}),
	],
	'Secrets never leak': [
		bug<typeof redact>({
			name: 'quoted-secrets',
			description: 'A token that the service quotes in its message is shown in the error.',
			module: 'util/redact',
			wrong: { redactor: (right) => () => right([]) },
		}),
	],
};

/** All seeded bugs, each with the guarantee that it breaks. */
export const seededBugs: SeededBug[] = Object.entries(bugsByGuarantee).flatMap(
	([guarantee, bugs]) => bugs.map((bug) => ({ ...bug, guarantee: guarantee as GuaranteeName })),
);
