import { Type, type Static } from '@sinclair/typebox';
import { DURATION } from '../util/duration';
import { DOCUMENT_EVENTS, IDENTITY_EVENTS } from './events';

/** A year. */
const MAX_DELAY_MS = 366 * 86_400_000;

const oneOf = <const T extends string[]>(...values: T) =>
	Type.Union(values.map((value) => Type.Literal(value as T[number])));

const strict = { additionalProperties: false };

const types = [...DOCUMENT_EVENTS, ...IDENTITY_EVENTS].map((type) => Type.Literal(type));
const EventSchema = Type.Union([...types, Type.Literal('*')]);

/** Body of `POST /sandbox/fire`. */
export const FireSchema = Type.Object({
	type: Type.Union(types),
	documentID: Type.Optional(Type.String()),
	validationId: Type.Optional(Type.String()),
});

export const FaultSchema = Type.Object(
	{
		/**
		 * `METHOD /path` below the base address, e.g. `POST /access/token`. `*` at the end stands for any
		 * rest, and alone for every call. A path with a parameter is named by its pattern
		 * (`GET /identity/session/results/:sessionId`) or whole.
		 */
		endpoint: Type.String({ pattern: '^(?:\\*|[A-Z]+ /.*)$' }),
		/** How many calls it hits; unlimited when absent. */
		times: Type.Optional(Type.Integer({ minimum: 1 })),
		/** How many calls pass untouched before it hits one. */
		skip: Type.Optional(Type.Integer({ minimum: 0 })),
		/** How long it is in force: milliseconds of the sandbox's clock; until it is removed when absent. */
		forMs: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DELAY_MS })),
		/** Wait this long (ms) before anything else. */
		delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
		/** Break the connection before the service acts, or after it acted but before it answers. */
		reset: Type.Optional(Type.Union([Type.Literal('before'), Type.Literal('after')])),
		/** Answer this instead of acting. A header's name and value must be fit for an answer. */
		answer: Type.Optional(
			Type.Object(
				{
					status: Type.Integer({ minimum: 200, maximum: 599 }),
					headers: Type.Optional(
						Type.Record(
							Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' }),
							Type.String({ pattern: '^[\\x20-\\x7e]{0,1000}$' }),
							strict,
						),
					),
					body: Type.Optional(Type.Unknown()),
				},
				strict,
			),
		),
	},
	strict,
);
/** A provoked misbehaviour of one endpoint, for tests and rehearsals. */
export type Fault = Static<typeof FaultSchema>;

/** Body of `PUT /sandbox/clock`. */
export const ClockSchema = Type.Object(
	{
		/** Puts it to this time: epoch-ms, or a text such as `2027-01-31` or `2027-01-31T09:00:00Z`. */
		at: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Integer()])),
		/** Puts it forward: milliseconds, or a text such as `30d`, `90m` or `1d12h`. */
		advance: Type.Optional(
			Type.Union([
				Type.String({ pattern: DURATION, maxLength: 100 }),
				Type.Integer({ minimum: 0 }),
			]),
		),
		/** Lets it stand (true) or run (false); as before when absent. */
		frozen: Type.Optional(Type.Boolean()),
	},
	strict,
);
/** What to do to the clock; in this order where several are named. */
export type ClockChange = Static<typeof ClockSchema>;

export const TroubleSchema = Type.Object(
	{
		/** Which notifications; `*` for all. */
		event: EventSchema,
		/**
		 * `twice`: comes once more after it was received. `late`: comes after `delayMs`. `outOfOrder`: comes
		 * after the next one about the same document, or after `delayMs` if there is none. `never`: is lost.
		 */
		kind: oneOf('twice', 'late', 'outOfOrder', 'never'),
		/** How likely it is, 0 to 1. Default 1. */
		chance: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
		/** How many notifications it hits; unlimited when absent. */
		times: Type.Optional(Type.Integer({ minimum: 1 })),
		/** Milliseconds of the sandbox's clock. Default 10,000. */
		delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_DELAY_MS })),
	},
	strict,
);
/** Something that goes wrong with notifications on purpose. */
export type DeliveryTrouble = Static<typeof TroubleSchema>;

const ScheduleSchema = oneOf('none', 'default', 'hours');
/** The schedules of attempts that have a name (see `RETRY_SCHEDULES`). */
export type RetrySchedule = Static<typeof ScheduleSchema>;

const DeliverySchema = Type.Object({
	/** When a notification is tried again: a schedule, or the delays (ms) before the 2nd, 3rd… attempt. */
	retries: Type.Union([
		ScheduleSchema,
		Type.Array(Type.Integer({ minimum: 0, maximum: MAX_DELAY_MS }), { maxItems: 100 }),
	]),
	/** A repeated notification has another `addedOn`: the time of its own attempt. */
	newAddedOn: Type.Boolean(),
	/** Decides where chance decides: the same seed gives the same course of events. */
	seed: Type.Integer(),
	trouble: Type.Array(TroubleSchema, { maxItems: 100 }),
});
/** How notifications are handed over. */
export type DeliverySettings = Static<typeof DeliverySchema>;

const QuirksSchema = Type.Object({
	/** `signatory` ends with an entry shaped like `createdBy`. */
	trailingCreatedBy: Type.Boolean(),
	/** Creating a document answers `success` and `message`, nothing else. */
	createAnswersOnlySuccess: Type.Boolean(),
	/** `signing.expiry` is null: the link is said to live for ever. */
	signingExpiryNull: Type.Boolean(),
	/** A signatory's `isSigned` is a text (`"1"`) in place of a number. */
	isSignedAsString: Type.Boolean(),
	/** Each Document in a notification was canceled at the service: `isCanceled`. No such body was seen. */
	canceled: Type.Boolean(),
});
/** Shapes seen in the field beside those that the interface shows; each is off unless asked for. */
export type Quirks = Static<typeof QuirksSchema>;

/** Body of `PUT /sandbox/settings`. */
export const SettingsSchema = Type.Partial(
	Type.Object({
		/**
		 * At most this many calls in any second, 429 beyond. `retryAfter` (seconds) goes into the header
		 * of that name, which is left out when it is absent. null: no limit.
		 */
		rateLimit: Type.Union([
			Type.Null(),
			Type.Object(
				{
					perSecond: Type.Integer({ minimum: 1 }),
					retryAfter: Type.Optional(Type.Integer({ minimum: 0 })),
				},
				strict,
			),
		]),
		/** Seconds that a token lives; counts for tokens given out from then on. */
		tokenLifetimeSeconds: Type.Number({ exclusiveMinimum: 0 }),
		/** Whether a new token ends the life of all earlier ones. */
		invalidateOnRenew: Type.Boolean(),
		/**
		 * What an expired token gives: HTTP 401, HTTP 403, or HTTP 200 with `success: false` and
		 * `responseCode` 401.
		 */
		expiryStyle: oneOf('401', '403', '200'),
		quirks: Type.Partial(QuirksSchema, strict),
		delivery: Type.Partial(DeliverySchema, strict),
	}),
	strict,
);
/** Settings to change; of `quirks` and `delivery` too, only those named. */
export type SettingsChange = Static<typeof SettingsSchema>;

/** How the service behaves where the interface says nothing; can be changed while it runs. */
export type SandboxSettings = Required<Omit<SettingsChange, 'quirks' | 'delivery'>> & {
	quirks: Quirks;
	delivery: DeliverySettings;
};
