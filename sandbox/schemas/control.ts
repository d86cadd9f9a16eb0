import { Type, type Static } from '@sinclair/typebox';
import { duration } from '../util/time';
import { eventTypes } from './events';

/** The maximum delay: one year in milliseconds. */
const maxDelayMs = 366 * 86_400_000;

const strict = { additionalProperties: false };

const types = eventTypes.map((type) => Type.Literal(type));

/** The body of `POST /sandbox/fire`. */
export const FireSchema = Type.Object({
	type: Type.Union(types),
	documentID: Type.Optional(Type.String()),
	validationId: Type.Optional(Type.String()),
});

export const FaultSchema = Type.Object(
	{
		/**
		 * `METHOD /path`, relative to the base URL, e.g. `POST /access/token`. A trailing `*` matches
		 * anything that follows, and `*` alone matches every call. For a path with a parameter, use either
		 * the pattern (`GET /identity/session/results/:sessionId`) or the full path of one call.
		 */
		endpoint: Type.String({ pattern: '^(?:\\*|[A-Z]+ /.*)$' }),
		/** The number of calls that the fault applies to. By default, there is no limit. */
		times: Type.Optional(Type.Integer({ minimum: 1 })),
		/** The number of matching calls to skip before the fault applies. */
		skip: Type.Optional(Type.Integer({ minimum: 0 })),
		/**
		 * How long the fault stays active, in milliseconds on the sandbox's clock. By default, there is no
		 * time limit.
		 */
		forMs: Type.Optional(Type.Integer({ minimum: 1, maximum: maxDelayMs })),
		/** How many milliseconds to wait before doing anything else with the call. */
		delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
		/**
		 * Breaks the connection before the service acts (`before`), or after the service has acted but before
		 * it responds (`after`).
		 */
		reset: Type.Optional(Type.Union([Type.Literal('before'), Type.Literal('after')])),
		/**
		 * If set, this response is sent, and the service does not act. Header names and values must be valid
		 * in HTTP.
		 */
		response: Type.Optional(
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
/** A failure that the sandbox simulates for a test or a rehearsal. */
export type Fault = Static<typeof FaultSchema>;

/** The body of `PUT /sandbox/clock`. */
export const ClockSchema = Type.Object(
	{
		/** Sets the clock to a time: epoch-ms, or a string such as `2027-01-31` or `2027-01-31T09:00:00Z`. */
		at: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Integer()])),
		/** Moves the clock forward: by milliseconds, or by a string such as `30d`, `90m` or `1d12h`. */
		advance: Type.Optional(
			Type.Union([
				Type.String({ pattern: duration, maxLength: 100 }),
				Type.Integer({ minimum: 0 }),
			]),
		),
		/** Stops the clock (true) or lets it run (false). If omitted, this state does not change. */
		frozen: Type.Optional(Type.Boolean()),
	},
	strict,
);
/**
 * A change to the clock. If several properties are set, they are applied in the order `at`, `advance`,
 * `frozen`.
 */
export type ClockChange = Static<typeof ClockSchema>;

/** The body of `PUT /sandbox/settings`. */
export const SettingsSchema = Type.Partial(
	Type.Object({
		/**
		 * The maximum number of calls per second. Further calls get a 429. If `retryAfter` (in seconds) is
		 * set, the 429 includes it as the Retry-After header. null means no limit.
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
		/** The lifetime of a token in seconds. A change affects only the tokens issued after it. */
		tokenLifetimeSeconds: Type.Number({ exclusiveMinimum: 0 }),
		/** Whether a new token invalidates all earlier tokens. */
		invalidateOnRenew: Type.Boolean(),
		/**
		 * The response to an expired token: HTTP 401, HTTP 403, or HTTP 200 with `success: false` and
		 * `responseCode` 401.
		 */
		expiryStyle: Type.Union([Type.Literal('401'), Type.Literal('403'), Type.Literal('200')]),
		/**
		 * The delays, in milliseconds, before each retry of a delivery. If the last retry does not succeed,
		 * the delivery fails.
		 */
		deliveryBackoffMs: Type.Array(Type.Integer({ minimum: 0, maximum: maxDelayMs }), {
			maxItems: 100,
		}),
		/**
		 * Whether a new document shows the placeholder, such as `{{workplace}}`, for a key that the client
		 * didn't send. Otherwise, it shows the words that the template has for this case. What a service does
		 * isn't known.
		 */
		leavesPlaceholders: Type.Boolean(),
		/** Whether creating a document returns `success` and `message`, but no document, as seen in the field. */
		createReturnsOnlySuccess: Type.Boolean(),
		/**
		 * Whether the notification about a finished identity request is the response to the call for its
		 * results. Otherwise, it contains the request's IDs and status. What a service sends isn't known.
		 */
		identityEventsHaveResults: Type.Boolean(),
	}),
	strict,
);
export type SettingsChange = Static<typeof SettingsSchema>;

/**
 * The settings for behavior that the API does not specify. They can be changed while the sandbox is running.
 */
export type SandboxSettings = Required<SettingsChange>;
