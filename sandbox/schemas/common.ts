import { Type, type ObjectOptions, type TProperties, type TSchema } from '@sinclair/typebox';

/** Milliseconds since the Unix epoch (docs/dev/service.md#times). */
export const EpochMs = Type.Integer({
	minimum: 0,
	description: 'Milliseconds since the Unix epoch',
});

/** A count, which is a non-negative integer. */
export const Count = Type.Integer({ minimum: 0 });

/** The `width` and `height` of a page, a box or an image, in PDF points. */
export const Size = Type.Object(
	{ width: Type.Number(), height: Type.Number() },
	{ title: 'Size', description: 'In PDF points', additionalProperties: false },
);

/**
 * Describes an object with exactly the given properties. Extra fields are rejected just like missing ones,
 * because the sandbox must match docs/dev/service.md.
 * @param title The schema's name in openapi.json. A schema without a title is repeated in openapi.json
 * wherever it is used.
 */
export function exactly<T extends TProperties>(
	properties: T,
	title?: string,
	options: ObjectOptions = {},
) {
	const named = title === undefined ? {} : { title };
	return Type.Object(properties, { ...named, ...options, additionalProperties: false });
}

/** A union of known strings that also accepts any other string. */
type Open<Observed extends string> = Observed | (string & Record<never, never>);

/**
 * Describes a string field and lists the values seen so far. Any other string is accepted too, because the
 * full set of values is not documented (docs/dev/service.md#what-isnt-documented).
 */
export function observed<Observed extends string>(...values: Observed[]) {
	return Type.Unsafe<Open<Observed>>(
		Type.String({ description: 'Values seen so far. Others are possible.', examples: values }),
	);
}

/** Describes a field that has been null in every example. Its other possible values are not known. */
export function nullSoFar() {
	return Type.Unknown({ description: 'Null in every example seen so far' });
}

/** Describes a list that has been empty in every example. The shape of the list's elements is not known. */
export function emptySoFar() {
	return Type.Array(Type.Unknown(), { description: 'Empty in every example seen so far' });
}

/** Describes an object that has been empty in every example. */
export function emptyObjectSoFar() {
	return Type.Record(Type.String(), Type.Unknown(), {
		description: 'Empty in every example seen so far',
	});
}

/** An object without fields, for a query without parameters or an empty response. */
export const NothingSchema = exactly({});

/** Describes the envelope of a successful response (docs/dev/service.md#response-envelope). */
export function envelopeOf<T extends TSchema>(responseData: T) {
	return exactly({
		responseData,
		/** Missing only from responses that list templates. */
		message: Type.Optional(Type.String()),
		success: Type.Literal(true),
		responseCode: Type.Integer(),
	});
}

/**
 * Any response, including errors. Because errors are not documented, their formats are the ones seen in the
 * field (docs/dev/service.md#errors).
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

/** An error that is returned with HTTP 200. Only `success` shows that the call failed. */
export const FailureSchema = Type.Object(
	{ ...AnyEnvelopeSchema.properties, success: Type.Literal(false) },
	{ title: 'Failure' },
);
