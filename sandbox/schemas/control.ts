import { Type } from '@sinclair/typebox';
import { DURATION } from '../util/duration';
import { DOCUMENT_EVENTS, IDENTITY_EVENTS } from './events';

/** A year. */
const MAX_DELAY_MS = 366 * 86_400_000;

const strict = { additionalProperties: false };

const types = [...DOCUMENT_EVENTS, ...IDENTITY_EVENTS].map((type) => Type.Literal(type));
const EventSchema = Type.Union([...types, Type.Literal('*')]);

/** Body of `POST /sandbox/fire`. */
export const FireSchema = Type.Object({
	type: Type.Union(types),
	documentID: Type.Optional(Type.String()),
	validationId: Type.Optional(Type.String()),
});

/** A fault (see `Fault` in types.ts). A header's name and value must be fit for an answer. */
export const FaultSchema = Type.Object(
	{
		endpoint: Type.String({ pattern: '^(?:\\*|[A-Z]+ /.*)$' }),
		times: Type.Optional(Type.Integer({ minimum: 1 })),
		skip: Type.Optional(Type.Integer({ minimum: 0 })),
		forMs: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DELAY_MS })),
		delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
		reset: Type.Optional(Type.Union([Type.Literal('before'), Type.Literal('after')])),
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

/** Body of `PUT /sandbox/clock` (see `ClockChange` in types.ts). */
export const ClockSchema = Type.Object(
	{
		at: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Integer()])),
		advance: Type.Optional(
			Type.Union([
				Type.String({ pattern: DURATION, maxLength: 100 }),
				Type.Integer({ minimum: 0 }),
			]),
		),
		frozen: Type.Optional(Type.Boolean()),
	},
	strict,
);

/** Something that goes wrong with notifications (see `DeliveryTrouble` in settings.ts). */
export const TroubleSchema = Type.Object(
	{
		event: EventSchema,
		kind: Type.Union(
			(['twice', 'late', 'outOfOrder', 'never'] as const).map((kind) => Type.Literal(kind)),
		),
		chance: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
		times: Type.Optional(Type.Integer({ minimum: 1 })),
		delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_DELAY_MS })),
	},
	strict,
);

const DeliverySchema = Type.Object({
	retries: Type.Union([
		...(['none', 'default', 'hours'] as const).map((name) => Type.Literal(name)),
		Type.Array(Type.Integer({ minimum: 0, maximum: MAX_DELAY_MS }), { maxItems: 100 }),
	]),
	newAddedOn: Type.Boolean(),
	beforeAnswer: Type.Boolean(),
	seed: Type.Integer(),
	trouble: Type.Array(TroubleSchema, { maxItems: 100 }),
});

/** Body of `PUT /sandbox/settings` (see `SettingsChange` in types.ts). */
export const SettingsSchema = Type.Object(
	{
		rateLimit: Type.Optional(
			Type.Union([
				Type.Null(),
				Type.Object(
					{
						perSecond: Type.Integer({ minimum: 1 }),
						retryAfter: Type.Optional(Type.Integer({ minimum: 0 })),
					},
					strict,
				),
			]),
		),
		tokenLifetimeSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
		invalidateOnRenew: Type.Optional(Type.Boolean()),
		expiryStyle: Type.Optional(
			Type.Union([Type.Literal('401'), Type.Literal('403'), Type.Literal('200')]),
		),
		delivery: Type.Optional(Type.Partial(DeliverySchema, strict)),
		quirks: Type.Optional(
			Type.Partial(
				Type.Object({
					trailingCreatedBy: Type.Boolean(),
					createAnswersOnlySuccess: Type.Boolean(),
					signingExpiryNull: Type.Boolean(),
					isSignedAsString: Type.Boolean(),
				}),
				strict,
			),
		),
	},
	strict,
);
