import type { IDataObject } from 'n8n-workflow';

import type {
	CreateDocumentBody,
	IdentityRequestBody,
	Template,
} from '../../nodes/SignVerify/api/types';
import type { ItemContext } from '../../nodes/SignVerify/item/item';
import {
	contentOfDocument,
	DocumentToSend,
	withAddresses,
} from '../../nodes/SignVerify/operations/document/documentToSend';
import {
	contentOfRequest,
	redirectedRequest,
} from '../../nodes/SignVerify/operations/identity/request';
import type { ComparedContent } from '../../nodes/SignVerify/operations/comparedContent';
import { checkRepeats } from '../../nodes/SignVerify/operations/repeatedItems';
import type { CheckedItem } from '../../nodes/SignVerify/operations/sendItem';
import { testAddresses } from '../../nodes/SignVerify/operations/testRuns';
import { isObject } from '../../nodes/SignVerify/util/values';
import { CreateV1BodySchema, IdentityBodySchema } from '../../sandbox/schemas/requests';
import { sampleOf } from '../support/schemaSample';
import { keyProblems } from '../../nodes/SignVerify/operations/sendingProblems';

/*
 * Two items with one Send Once Key count as the same if their content is the same, and only the first is sent. So
 * whatever differs in their bodies must differ in their content.
 */

const template = {
	templateVersion: 'v1',
	templateID: 't',
	name: 'Lease',
	inputs: ['rent', 'email'].map((key) => ({ key, label: '', type: 'text', isRequired: true })),
} satisfies Template;

/** The bodies, with every key that they can have. A key that is added to a schema is here, too. */
const document = {
	...(sampleOf(CreateV1BodySchema) as IDataObject),
	inputs: { rent: '900', email: 'Ana@example.com' },
};
const request = sampleOf(IdentityBodySchema) as IDataObject;
const bodies: Array<[string, IDataObject, (body: IDataObject) => ComparedContent]> = [
	[
		'a document',
		document,
		(body) => contentOfDocument(template, body as unknown as CreateDocumentBody),
	],
	['an identity request', request, (body) => contentOfRequest(body as IdentityRequestBody)],
];

type Path = Array<string | number>;

/** Returns the paths of all values in a body, and for each object one of a key that no body has today. */
function pathsIn(value: unknown, path: Path = []): Path[] {
	if (Array.isArray(value)) {
		return value.flatMap((entry, index) => pathsIn(entry, [...path, index]));
	}
	if (!isObject(value)) return [path];
	const inner = Object.entries(value).flatMap(([key, entry]) => pathsIn(entry, [...path, key]));
	return [...inner, [...path, 'addedLater']];
}

function changed(body: IDataObject, path: Path, change: (value: unknown) => unknown): IDataObject {
	const copy = structuredClone(body);
	let inner = copy as Record<string | number, unknown>;
	for (const step of path.slice(0, -1)) inner = inner[step] as Record<string | number, unknown>;
	const last = path.at(-1) ?? '';
	inner[last] = change(inner[last]);
	return copy;
}

function valueAt(body: IDataObject, path: Path): unknown {
	return path.reduce<unknown>(
		(inner, step) => (inner as Record<string | number, unknown>)[step],
		body,
	);
}

function otherValue(value: unknown): unknown {
	if (typeof value === 'number') return value + 1;
	return typeof value === 'boolean' ? !value : `${String(value)}x`;
}

describe.each(bodies)('The content of %s', (_what, body, contentOf) => {
	test.each(pathsIn(body).map((path) => [path.join('.'), path] as const))(
		'changes with %s',
		(_name, path) => {
			expect(contentOf(changed(body, path, otherValue))).not.toEqual(contentOf(body));
		},
	);

	const addresses = pathsIn(body).filter((path) => path.at(-1) === 'email' && path[0] !== 'inputs');

	test.each(addresses.map((path) => [path.join('.'), path] as const))(
		'is the same if %s differs only in case',
		(_name, path) => {
			const upper = changed(body, path, (value) => String(value).toUpperCase());
			expect(contentOf(upper)).toEqual(contentOf(body));
		},
	);

	test('contains a key that the form has no name for', () => {
		const { others } = contentOf({ ...body, addedLater: 'Please sign' });
		expect(others.addedLater).toBe('Please sign');
	});
});

/** How each body is redirected to the tester, and its texts that nothing is sent to. */
const redirections = [
	{
		file: 'operations/document/documentToSend.ts',
		body: document,
		redirect: (body: IDataObject) =>
			withAddresses(body as unknown as CreateDocumentBody, () => tester),
		textsWithoutAddress: [
			'templateID',
			'country',
			'inputs.rent',
			'inputs.email',
			'signatories.0.name',
			'staticSignPositions.0.color',
		],
	},
	{
		file: 'operations/identity/request.ts',
		body: request,
		redirect: (body: IDataObject) => redirectedRequest(body as IdentityRequestBody, tester),
		textsWithoutAddress: ['type'],
	},
];
const tester = 'me@example.com';
const realPerson = 'real@example.com';

// A forgotten address would reach a real person in a test, so each text has to be redirected or listed.
test.each(redirections)(
	'in a test, no address is left in the body of $file',
	({ file, body, redirect, textsWithoutAddress }) => {
		const texts = pathsIn(body).filter((path) => typeof valueAt(body, path) === 'string');
		const left = texts.flatMap((path) => {
			const name = path.join('.');
			const sent = redirect(changed(body, path, () => realPerson)) as unknown;
			if (textsWithoutAddress.includes(name) || !JSON.stringify(sent).includes(realPerson))
				return [];
			return `${name} isn't redirected to the tester: do that in ${file}, or list it here if nothing is sent to it`;
		});
		expect(left).toEqual([]);
	},
);

test('in a test, an address that no one of the people has also becomes the tester', () => {
	const addressFor = testAddresses(tester, ['ana@example.com', 'bo@example.com']);
	expect(addressFor('bo@example.com')).toBe('me+2@example.com');
	expect(addressFor(realPerson)).toBe(tester);
});

test('the preview of a document shows a key that is added to its body', () => {
	const body = { ...document, addedLater: 'Please sign' } as unknown as CreateDocumentBody;
	const checked = { template, body, signedRoles: [], output: 'simplified' as const };
	const { addedLater } = new DocumentToSend({} as ItemContext, checked).preview();
	expect(addedLater).toBe('Please sign');
});

test('the content of a field differs in the case of its text, even if it is an address', () => {
	const [, , contentOf] = bodies[0] ?? [];
	const inputs = { ...document.inputs, email: 'ANA@example.com' };
	expect(contentOf?.({ ...document, inputs })).not.toEqual(contentOf?.(document));
});

test('the content contains both of two fields of which one is labeled like the name of the other', () => {
	const labels = [
		['start', 'Date'],
		['end', 'Date'],
		['other', 'Date (start)'],
	];
	const inputs = labels.map(([key = '', label = '']) => ({
		key,
		label,
		type: 'text',
		isRequired: true,
	}));
	const contentWith = (values: Record<string, string>) =>
		contentOfDocument({ ...template, inputs }, {
			...document,
			inputs: values,
		} as unknown as CreateDocumentBody);
	const values = { start: '1', end: '2', other: '3' };
	for (const key of Object.keys(values)) {
		expect(contentWith({ ...values, [key]: '4' })).not.toEqual(contentWith(values));
	}
});

/** Returns the errors of two documents with the same Send Once Key. */
function errorsOf(
	compared: Template,
	one: IDataObject,
	other: IDataObject,
): Array<string | undefined> {
	const checks = [one, other].map((body) => {
		const checked = { template: compared, body, signedRoles: [], output: 'simplified' };
		const prepared = new DocumentToSend({} as ItemContext, checked as never);
		const key = { comparedText: 'C-1', text: 'C-1' };
		return { ok: true, value: { state: 'new', key, prepared } as unknown as CheckedItem } as const;
	});
	const results = checkRepeats(checks, (itemIndex) => ({ itemIndex }) as ItemContext);
	return results.map((result) => (result && !result.ok ? String(result.error) : undefined));
}

const different = (...differences: string[]) =>
	Array<string>(2).fill(
		expect.stringContaining(keyProblems.otherContent('C-1', 2, differences).problem) as string,
	);

test('two documents with one key and the same values are no error', () => {
	expect(errorsOf(template, document, structuredClone(document))).toEqual([undefined, undefined]);
});

test('the error about two documents with one key uses the names that the form has', () => {
	const names = { country: 'Country', 'inputs.rent': 'rent', signatories: 'Signatories' };
	for (const [path, name] of Object.entries(names)) {
		const steps = path === 'signatories' ? ['signatories', 0, 'name'] : path.split('.');
		const [one] = errorsOf(template, document, changed(document, steps, otherValue));
		expect(one).toContain(` times with different values: ${name} (`);
	}
});

/** A template whose fields have the keys and the labels of everything else that is sent. */
const taken = [
	...Object.keys(document),
	'message',
	'Template',
	'Country',
	'Signatories',
	'Message',
];
const sameNames = {
	...template,
	inputs: taken.map((key) => ({ key, label: key, type: 'text', isRequired: true })),
} satisfies Template;
const filled: IDataObject = {
	...document,
	inputs: Object.fromEntries(taken.map((key) => [key, 'Ana'])),
	message: 'Ana',
};

test.each(pathsIn(filled).map((path) => [path.join('.'), path] as const))(
	'two documents with one key are refused if %s differs, even if fields have the names of the rest',
	(_name, path) => {
		const other = changed(filled, path, otherValue);
		for (const error of errorsOf(sameNames, filled, other)) {
			expect(error).toContain(keyProblems.otherContent('C-1', 2, ['']).problem);
		}
	},
);

test.each(['Template', 'Signatories', 'country', 'Signature positions', 'Fields', 'First Party'])(
	'the error tells a field called "%s" apart from the role or the part of the form with that name',
	(name) => {
		const sameName = {
			...template,
			inputs: [{ key: 'field', label: name, type: 'text', isRequired: true }],
			signatories: [{ key: 'first_party' }],
		} as unknown as Template;
		const [one, other] = ['x', 'y'].map((field) => ({ ...document, inputs: { field } }));
		const shown = `Fields: ${name} (x and y)`;
		expect(errorsOf(sameName, one ?? {}, other ?? {})).toEqual(different(shown));
	},
);

test('two items that have one key and differ only in an option that was added later are both refused', () => {
	const messages = ['Please sign by Friday', 'The price is 900'];
	const [one, other] = messages.map((message) => ({ ...document, message }));
	expect(errorsOf(template, one ?? {}, other ?? {})).toEqual(
		different('message (Please sign by Friday and The price is 900)'),
	);
});
