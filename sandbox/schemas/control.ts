import { Type, type Static } from '@sinclair/typebox';
import { DURATION } from '../util/time';
import { EVENT_TYPES } from './events';

/** A year. */
const MAX_DELAY_MS = 366 * 86_400_000;

const strict = { additionalProperties: false };

const types = EVENT_TYPES.map((type) => Type.Literal(type));

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

const QuirksSchema = Type.Object({
	/** `signatory` ends with an entry shaped like `createdBy`. */
	trailingCreatedBy: Type.Boolean(),
	/** Creating a document answers `success` and `message`, nothing else. */
	createAnswersOnlySuccess: Type.Boolean(),
	/** `signing.expiry` is null: the link is said to live for ever. */
	signingExpiryNull: Type.Boolean(),
	/** A signatory's `isSigned` is a text (`"1"`) in place of a number. */
	isSignedAsString: Type.Boolean(),
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
		expiryStyle: Type.Union([Type.Literal('401'), Type.Literal('403'), Type.Literal('200')]),
		/** Delays (ms) before the 2nd, 3rd… attempt of a delivery; it is given up after the last one. */
		deliveryBackoffMs: Type.Array(Type.Integer({ minimum: 0, maximum: MAX_DELAY_MS }), {
			maxItems: 100,
		}),
		quirks: Type.Partial(QuirksSchema, strict),
	}),
	strict,
);
/** Settings to change; of `quirks` too, only those named. */
export type SettingsChange = Static<typeof SettingsSchema>;

/** How the service behaves where the interface says nothing; can be changed while it runs. */
export type SandboxSettings = Required<Omit<SettingsChange, 'quirks'>> & { quirks: Quirks };
