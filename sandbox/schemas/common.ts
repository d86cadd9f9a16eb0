import { Type, type TProperties, type TSchema } from '@sinclair/typebox';

/** Milliseconds since the Unix epoch (interface: Base address, "epoch-ms"). */
export const EpochMs = Type.Integer({ minimum: 0 });

/** A count or an order: an integer that is never negative. */
export const Count = Type.Integer({ minimum: 0 });

/** `width` and `height` of a page, a box or an image, in PDF points. */
export const Size = Type.Object(
	{ width: Type.Number(), height: Type.Number() },
	{ additionalProperties: false },
);

/**
 * An object with exactly these properties. The sandbox is held to the interface, so a field that
 * the interface does not name is as wrong as one that is missing.
 */
export function exactly<T extends TProperties>(properties: T) {
	return Type.Object(properties, { additionalProperties: false });
}

/** The envelope around every answer (interface: Response envelope). */
export function envelopeOf<T extends TSchema>(responseData: T) {
	return exactly({
		responseData,
		/** Absent only in the lists of templates. */
		message: Type.Optional(Type.String()),
		success: Type.Boolean(),
		responseCode: Type.Integer(),
	});
}
