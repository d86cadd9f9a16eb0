import { Type, type ObjectOptions, type TProperties, type TSchema } from '@sinclair/typebox';

/** Milliseconds since the Unix epoch (docs/dev/service.md#times). */
export const EpochMs = Type.Integer({
	minimum: 0,
	description: 'Milliseconds since the Unix epoch',
});

/** A count or an order: an integer that is never negative. */
export const Count = Type.Integer({ minimum: 0 });

/** `width` and `height` of a page, a box or an image, in PDF points. */
export const Size = Type.Object(
	{ width: Type.Number(), height: Type.Number() },
	{ title: 'Size', description: 'In PDF points', additionalProperties: false },
);

/**
 * An object with exactly these properties. The sandbox is held to docs/dev/service.md, so a field that
 * the page does not name is as wrong as one that is missing.
 * @param title Its name in openapi.json. A schema without one stands there wherever it is used.
 */
export function exactly<T extends TProperties>(
	properties: T,
	title?: string,
	options: ObjectOptions = {},
) {
	const named = title === undefined ? {} : { title };
	return Type.Object(properties, { ...named, ...options, additionalProperties: false });
}

/** A union of texts that accepts any other text, too. */
type Open<Observed extends string> = Observed | (string & Record<never, never>);

/**
 * A text of which some values were seen. It accepts any other: nobody has shown the full set
 * (docs/dev/service.md#what-is-not-known).
 */
export function observed<Observed extends string>(...values: Observed[]) {
	return Type.Unsafe<Open<Observed>>(
		Type.String({ description: 'Values seen so far; there can be others', examples: values }),
	);
}

/** A field that was null wherever it was shown: what else it can be is not known. */
export function nullSoFar() {
	return Type.Unknown({ description: 'Null in everything that was shown' });
}

/** A list that was empty wherever it was shown: what its elements look like is not known. */
export function emptySoFar() {
	return Type.Array(Type.Unknown(), { description: 'Empty in everything that was shown' });
}

/** An object that was empty wherever it was shown. */
export function emptyObjectSoFar() {
	return Type.Record(Type.String(), Type.Unknown(), {
		description: 'Empty in everything that was shown',
	});
}

/** An object without any field: a query without parameters, or an answer that has nothing to say. */
export const NothingSchema = exactly({});

/** The envelope around every good answer (docs/dev/service.md#response-envelope). */
export function envelopeOf<T extends TSchema>(responseData: T) {
	return exactly({
		responseData,
		/** Absent only in the lists of templates. */
		message: Type.Optional(Type.String()),
		success: Type.Literal(true),
		responseCode: Type.Integer(),
	});
}

/**
 * Any answer, also one that says that something failed. No error is documented: these are the forms
 * that were seen (docs/dev/service.md#errors).
 */
export const AnyEnvelopeSchema = Type.Object(
	{
		responseData: Type.Optional(Type.Unknown()),
		message: Type.Optional(
			Type.Union([Type.String(), Type.Array(Type.Object({ msg: Type.Optional(Type.String()) }))]),
		),
		success: Type.Optional(Type.Boolean()),
		responseCode: Type.Optional(Type.Integer()),
	},
	{ title: 'AnyEnvelope' },
);

/** A failure that comes with HTTP 200: only `success` tells. */
export const FailureSchema = Type.Object(
	{ ...AnyEnvelopeSchema.properties, success: Type.Literal(false) },
	{ title: 'Failure' },
);
