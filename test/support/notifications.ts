import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { EventType } from '../../nodes/SignVerify/api/events';
import { textOf } from '../../nodes/SignVerify/util/values';

/** A schema of the sandbox, as far as its notifications use it. */
interface Schema {
	type?: string;
	const?: unknown;
	examples?: unknown[];
	anyOf?: Schema[];
	allOf?: Schema[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** A value with every field of a schema, each text another one. */
export function sampleOf(given: unknown, name = 'x'): unknown {
	const schema = given as Schema;
	if (schema.allOf) {
		const parts = schema.allOf.map((part) => sampleOf(part, name) as IDataObject);
		const [first = {}, second = {}] = parts;
		const inner = { ...(first.Document as object), ...(second.Document as object) };
		return { ...first, ...second, Document: inner };
	}
	if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], name);
	if (schema.const !== undefined) return schema.const;
	if (schema.type === 'string') return `text of ${name}`;
	if (schema.type === 'boolean') return false;
	if (schema.type === 'array') return schema.items ? [sampleOf(schema.items, name)] : [];
	// A deleted document is not completed.
	if (name === 'isDeleted') return 0;
	if (schema.type !== 'object') return schema.type === 'null' ? null : 1;
	const entries = Object.entries(schema.properties ?? {});
	return Object.fromEntries(entries.map(([key, value]) => [key, sampleOf(value, key)]));
}

/** The way to each text of a value, but its type. */
export function textsIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value === 'string') return path.join() === 'type' ? [] : [path];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

/** A copy of a value with another one in place of a text. */
export function withTextAt(value: unknown, [key, ...rest]: string[], text: unknown): unknown {
	if (key === undefined) return text;
	const copy = (Array.isArray(value) ? [...value] : { ...(value as IDataObject) }) as IDataObject;
	copy[key] = withTextAt(copy[key], rest, text) as IDataObject;
	return copy;
}

/** Notifications for property tests: valid ones as the interface shows them, and others. */

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const id = fc
	.bigInt({ min: 0n, max: 1n << 95n })
	.map((value) => value.toString(16).padStart(24, '0'));
const email = fc.nat().map((value) => `person-${value}@example.com`);
const moment = fc.integer({ min: 1_500_000_000_000, max: 2_000_000_000_000 });

const signatory = fc.record({
	signatoryID: id,
	_id: id,
	name: text,
	emailID: email,
	password: fc.constant('MARKED-PASSWORD'),
	verificationCode: fc.constant('MARKED-CODE'),
	signing: fc.record({
		url: fc.constant('https://sign.example/MARKED-LINK'),
		expiry: fc.option(moment),
	}),
	isSigned: fc.constantFrom<number | string>(0, 1, '0', '1'),
	order: fc.nat(9),
});
const creator = fc.record({ userID: id, adminID: id, fullName: text, emailID: email });
const address = fc.nat().map((value) => `https://files.example/${value}?signature=x`);

const document = fc.record(
	{
		documentID: id,
		_id: id,
		title: text,
		status: fc.constantFrom('PENDING', 'COMPLETED'),
		templateID: fc.oneof(id, fc.constant('')),
		signatory: fc.array(fc.oneof(signatory, creator), { maxLength: 4 }),
		logsStatus: fc.array(fc.dictionary(text, text), { maxLength: 2 }),
		computedFields: fc.dictionary(text, fc.nat()),
		addedOn: moment,
		isCanceled: fc.boolean(),
		splitNumber: fc.constant(null),
	},
	{ requiredKeys: ['documentID', 'title', 'status', 'signatory'] },
);

function documentEvent(type: EventType, extra: fc.Arbitrary<IDataObject>) {
	return fc
		.tuple(document, extra, moment)
		.map(([own, more, addedOn]) => ({ type, Document: { ...own, ...more }, addedOn }));
}

const asIs = (value: fc.Arbitrary<unknown>) => value as fc.Arbitrary<IDataObject>;

/** A notification as the interface shows it; for the four undocumented ones any object. */
export const valid: fc.Arbitrary<IDataObject> = fc.oneof(
	documentEvent(
		'sendDocument',
		asIs(
			fc.record({
				webhookData: fc.record({
					signatory: fc.record({ emailID: email }),
					pscUrl: address,
					documentURL: address,
					certificateURL: address,
				}),
			}),
		),
	),
	documentEvent('signDocument', asIs(fc.record({ webhookData: fc.record({ signatory }) }))),
	documentEvent(
		'completedDocument',
		asIs(
			fc.record({
				...{ status: fc.constant('COMPLETED'), isCanceled: fc.constant(false) },
				...{ documentURL: address, certificateURL: address, pscCertificateURL: address },
			}),
		),
	),
	...(
		[
			'pendingBiometric',
			'failedBiometric',
			'failedBiometricRequest',
			'VERIFICATION_REQUEST_FINISHED',
		] as const
	).map((type) =>
		fc.dictionary(text, fc.jsonValue({ maxDepth: 4 })).map((body) => ({ ...body, type })),
	),
);

/** Bodies that are no notification at all, and other encodings of ones that are. */
export const hostile: fc.Arbitrary<{ raw: Buffer }> = fc.oneof(
	fc.uint8Array({ maxLength: 400 }).map((bytes) => ({ raw: Buffer.from(bytes) })),
	fc.jsonValue().map((value) => ({ raw: Buffer.from(JSON.stringify(value)) })),
	fc
		.tuple(valid, fc.constantFrom<BufferEncoding>('utf16le', 'latin1', 'base64', 'hex'))
		.map(([body, encoding]) => ({ raw: Buffer.from(JSON.stringify(body), encoding) })),
	fc.tuple(valid, fc.nat(1000)).map(([body, cut]) => {
		const json = JSON.stringify(body);
		return { raw: Buffer.from(json.slice(0, cut % json.length)) };
	}),
	fc
		.tuple(fc.integer({ min: 95, max: 20_000 }), fc.constantFrom('[', '{"a":'))
		.map(([depth, open]) => ({
			raw: Buffer.from(
				`{"type":"signDocument","a":${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}}`,
			),
		})),
	valid.map((body) => ({
		raw: Buffer.from(`type=${textOf(body.type)}&Document=x`),
	})),
	valid.map((body) => ({ raw: Buffer.from(JSON.stringify([body])) })),
	valid.map((body) => ({
		raw: Buffer.from(JSON.stringify({ ...body, type: `${textOf(body.type)} ` })),
	})),
);
