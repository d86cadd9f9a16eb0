import { dayMs } from '../../nodes/SignVerify/util/times';
import '../support/shortPauses';
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';

import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { ServiceError } from '../../nodes/SignVerify/http/serviceError';
import { InputError } from '../../nodes/SignVerify/errors/inputError';
import { createItemContexts } from '../../nodes/SignVerify/item/item';
import { checkItem } from '../../nodes/SignVerify/operations/sendItem';
import type { Operation } from '../../nodes/SignVerify/operations/operationTypes';
import { triggerFields } from '../../nodes/SignVerify/trigger/form';
import { settle } from '../../nodes/SignVerify/util/async';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { clearAll } from '../../nodes/SignVerify/util/processMemory';
import { withDefaults } from '../n8n/execute';
import { action, executeContext, runAction } from '../support/contexts';
import { setUpService } from '../support/registrations';
import type { CredentialKeeper } from '../support/credentials';
import { type FormPath, type FormPlace, formWith, placesOf } from '../support/formPlaces';
import { markupIn } from '../support/errors';
import { otherTemplate } from '../support/problemWords';
import { operationNamed, resolvedFor, testedOperations } from '../operations';
import { sendDocument, signDocument } from '../operations/service';
import { clientOf } from '../support/credentials';
import { evaluate } from '../support/parameters';
import { sampled } from '../support/sample';
import {
	ada,
	despite,
	fields,
	filledForm,
	mapped,
	templateFor,
	useService,
	v1Setup,
	v2,
} from '../support/service';
import { completedEvent } from '../support/triggerNode';

const service = useService();
let keeper: CredentialKeeper;
let finished = '';
/** The ID of an identity verification for which a wait really waits. */
let unfinished = '';
/** A completed document with all of the service's fields. */
let signed = {};
beforeAll(async () => {
	keeper = service.credential();
	for (const host of ['a', 'b', 'c']) {
		const parameters = {
			resource: 'webhook',
			operation: 'create',
			event: 'signDocument',
			webhookUrl: `https://${host}.example.com/events`,
		};
		await runAction(keeper, { parameters });
	}
	const parameters = { resource: 'identity', operation: 'request', email: ada.email };
	const request = async () => {
		const [item] = await runAction(keeper, { parameters });
		return String(item?.json.validationId);
	};
	finished = await request();
	unfinished = await request();
	await service.sandbox.completeIdentity(finished, 'pass');
	const documentID = await sendDocument({ client: clientOf(service.sandbox) }, [ada]);
	await signDocument(service.sandbox, documentID);
	[signed = {}] = service.sandbox.documents() as object[];
});

beforeEach(() => {
	// The ID of a child, so that the age limits below and above the default have different results.
	const birthDate = Date.now() - 10 * 365 * dayMs;
	const results = {
		score: { overall: { status: 'OK' } },
		ocr: { name: { fullName: 'ADA' }, birthDate },
	};
	const response = { status: 200, body: { success: true, responseData: { results } } };
	service.sandbox.faults.set({ endpoint: `GET /identity/session/results/${finished}`, response });
});

/** Values that an expression can return, each written as JavaScript code. */
const expressions = [
	'undefined',
	'null',
	"''",
	"'   '",
	'[]',
	"['x']",
	"['x', 'y']",
	'[undefined]',
	"['']",
	'({})',
	'({ a: 1 })',
	'NaN',
	'true',
	'1',
	"'x'",
	'$json.missing',
	'$json.a && $json.b',
	`'["x","y"]'`,
	`'{"a":1}'`,
	`'[]'`,
	`'{}'`,
];

/** How many expressions each field is tested with, unless everything is tested. */
const expressionsInSample = 3;
/** How many fields of a form are tested with markup, unless everything is tested. */
const fieldsInSample = 3;

/** Expressions that stand for what users and AI agents enter to leave a field empty. */
const blank = ["''", "'   '", "['']"];

/** Expressions for the values that n8n returns if something is missing or a lookup finds no row. */
const nothing = ['undefined', 'null', '$json.missing', '$json.a && $json.b', '[]'];

const verifying = { email: ada.email, verificationType: 'FACE' };
const toTester = { inTestRuns: 'me', testEmail: 'me@example.com' };
const unlinked = 'http://127.0.0.1:9/lease.pdf';

/** For each operation, valid forms that together show all of its fields. */
const forms: Record<string, () => IDataObject[]> = {
	'document send': () => [
		{ ...v2, ...toTester, options: { neverSend: false, sendOnceKey: 'C-1', output: 'raw' } },
		{ ...v2, options: { sendEmptyFields: true, sendDespiteWarnings: true } },
		{ ...v2, templateId: { __rl: true, mode: 'name', value: 'Employment contract' } },
		{ ...v2, specifyFields: 'expression', fieldsObject: fields },
		{
			resource: 'document',
			...filledForm(templateFor(2, service.sandbox)),
			signatories: { signatory: [ada] },
			options: { leaveLastRolesEmpty: true },
		},
		{
			...v2,
			specifySignatories: 'byRole',
			signatoryRoles: mapped({ 'employee.name': ada.name, 'employee.email': ada.email }),
		},
		{ ...v2, specifySignatories: 'expression', signatoriesList: [ada] },
		{
			...v1Setup(service).parameters,
			options: {
				signPositions: {
					position: [
						{
							email: ada.email,
							page: 2,
							pageSize: 'custom',
							pageWidth: 400,
							pageHeight: 500,
							x: 1,
							y: 2,
							width: 30,
							height: 40,
							color: '#b91c1c',
						},
					],
				},
			},
		},
	],
	'document sendAndWait': () => [
		{
			...v2,
			operation: 'sendAndWait',
			downloadFiles: false,
			limitWaitTime: 3,
			limitWaitTimeUnit: 'hours',
		},
		{ ...v2, operation: 'sendAndWait', downloadFiles: true, files: ['certificate'] },
		...(forms['document send']?.() ?? []).map((form) => ({
			...form,
			operation: 'sendAndWait',
		})),
	],
	'document download': () => [
		{
			files: ['certificate', 'document', 'pscCertificate'],
			documentUrl: unlinked,
			certificateUrl: unlinked,
			pscCertificateUrl: unlinked,
		},
	],
	'template getAll': () => [{ returnAll: false, limit: 2, output: 'raw', filters: { name: 'e' } }],
	'webhook create': () => [
		{
			event: 'VERIFICATION_REQUEST_FINISHED',
			webhookUrl: 'https://example.com/events',
			name: 'Checks',
			output: 'raw',
		},
	],
	'webhook getAll': () => [
		{ returnAll: false, limit: 2, output: 'raw', filters: { event: 'signDocument' } },
	],
	'identity request': () => [
		{
			...verifying,
			...toTester,
			options: { neverSend: false, sendOnceKey: 'C-1' },
		},
		{ ...verifying, options: { sendDespiteWarnings: false, backgroundCheck: false } },
	],
	'identity getResults': () => [
		{
			validationId: finished,
			output: 'raw',
			options: { includePersonalData: false },
		},
		{
			validationId: finished,
			expectedName: 'Ada Lovelace',
			options: {
				minimumAge: 21,
				expectedBirthDate: '1985-12-10',
				expectedDocumentNumber: 'X1234567',
			},
		},
	],
	'identity sendAndWait': () => [
		{
			validationId: finished,
			expectedName: ada.name,
			options: {
				minimumAge: 21,
				expectedBirthDate: '1985-12-10',
				expectedDocumentNumber: 'X1234567',
				includePersonalData: false,
				includeInput: false,
			},
		},
		{ validationId: unfinished, limitWaitTime: 3, limitWaitTimeUnit: 'hours' },
	],
};

/** How the node interpreted a form: what it would send or return, or the error that it would show. */
type Reading = { used: string } | { refused: unknown };

/** Processes one item as the node does, but stops before anything is sent to people. */
async function read(operation: Operation, form: IDataObject): Promise<Reading> {
	const { resource, value } = operation;
	const options = { ...(operation.sends ? despite : {}), ...objectOf(form.options) };
	const parameters = { ...form, options, resource, operation: value };
	service.sandbox.forgetRequests();
	try {
		// The mode is "manual", because the node reads In Test Runs only in test runs.
		const context = executeContext(keeper, { parameters, items: [{}], mode: 'manual' });
		const item = createItemContexts(context, new ServiceClient(context), operation).contextOf(0);
		if (operation.sends) {
			const { key, ...checked } = await checkItem(item, operation);
			return { used: JSON.stringify([checked, key?.text]) };
		}
		let waitMinutes = 0;
		context.putExecutionToWait = async (until) => {
			waitMinutes = Math.round((until.getTime() - Date.now()) / 60_000);
			await Promise.resolve();
		};
		const output = (await operation.run(item)).map(({ json }) => json);
		// GET calls are left out. For a list, the output already shows what the node requested.
		const calls = service.sandbox.requests
			.filter(({ method }) => method !== 'GET')
			.map(({ path, query, body }) => [path, query, body]);
		return { used: withoutIds(JSON.stringify([output, calls, waitMinutes])) };
	} catch (error) {
		// The error is about a call to the service, so the node has already accepted the form.
		if (error instanceof ServiceError) return { used: withoutIds(error.message) };
		return { refused: error };
	}
}

/** Removes the values that are different in each execution. */
function withoutIds(text: string): string {
	return text
		.replaceAll(/"(?:webhookId|webHookID|createdAt|addedOn)":[^,}]*/g, '')
		.replaceAll(/(?:secret|until|signature)=[^&"]*/g, '');
}

interface Row extends FormPlace {
	name: string;
	/** A valid form in which the place is visible. */
	form: IDataObject;
}

/**
 * Returns an operation's valid forms: those in this file or, if it has none, the form from the operation's
 * entry in test/operations/.
 */
async function formsOf(operation: Operation): Promise<IDataObject[]> {
	const name = `${operation.resource} ${operation.value}`;
	const own = forms[name];
	if (own) return own();
	const { parameters, prepare } = operationNamed(name.replace(' ', '/'));
	const client = clientOf(service.sandbox);
	const [item] = await prepare({ sandbox: service.sandbox, client }, 1);
	return [item ? resolvedFor(item, parameters) : parameters];
}

/**
 * Returns each place in an operation's form once. The form in each entry shows the place and, if possible,
 * contains a value for it.
 */
async function rowsOf(operation: Operation): Promise<Row[]> {
	const { resource, value, fields: all } = operation;
	const shown = (await formsOf(operation)).map((form) => {
		const parameters = { ...form, resource, operation: value } as INodeParameters;
		return { form, whole: withDefaults(action, parameters) };
	});
	// An error names a template's field by its label.
	const labels = new Map(
		service.sandbox
			.templates()
			.flatMap((template) => template.fields.map(({ key, label }) => [key, label || key] as const)),
	);
	const places = shown.flatMap(({ form, whole }) =>
		placesOf(all, { ...whole, ...form } as INodeParameters).map((place) =>
			mayBeLeftOut(place)
				? { ...place, label: labels.get(String(place.path[2])) ?? place.label }
				: place,
		),
	);
	const names = new Map(places.map((place) => [place.path.join('.'), place]));
	return [...names].flatMap(([name, place]) => {
		const showing = shown.filter(({ whole }) => String(place.path[0]) in whole);
		const [{ form } = {}] = [...showing.filter((one) => isAt(one.form, place.path)), ...showing];
		return form ? [{ ...place, name, form }] : [];
	});
}

function isAt(form: IDataObject, path: FormPath): boolean {
	let inner: unknown = form;
	for (const step of path) {
		if (typeof inner !== 'object' || inner === null || !(step in inner)) return false;
		inner = (inner as Record<string | number, unknown>)[step];
	}
	return true;
}

/** Returns the names of all fields and options in a form. Each of them must have a row. */
function namesIn(all: INodeProperties[], path: FormPath = []): string[] {
	return all.flatMap(({ type, name, options = [] }) => {
		if (type === 'notice') return [];
		if (type !== 'collection') return [[...path, name].join('.')];
		return namesIn(options as INodeProperties[], [...path, name]);
	});
}

/** Returns an expression's value as a user would enter it. */
function entered(expression: string): unknown {
	const value = evaluate(`={{ ${expression} }}`, {});
	return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** Whether an error uses the form's name for a field. */
function names(error: unknown, label: string): boolean {
	if (!(error instanceof InputError)) return false;
	const escaped = label.replaceAll(/[()]/g, '\\$&');
	// The label is "Email" or "Signatory" for "Email (Signatory 1)", "First party" for "Fields: First party", and "Position"
	// for "Signature Positions" and "Signature Position 1".
	const pattern = new RegExp(`(?:^|, |: | \\(|^Signature )${escaped}s?(?:$|:|,| \\d| \\()`);
	// An error about the fields of another template names these fields instead of the form that they are in.
	const isForm = label === 'Fields' || label === 'Signatories';
	return error.parts.some(
		({ field }) => pattern.test(field) || (isForm && field === otherTemplate),
	);
}

/**
 * Returns what the node got wrong when it interpreted an expression. The node must either treat the
 * expression as if a user had entered its value, or reject it with an error that names the field. Only empty
 * text may be treated as if nothing had been entered.
 */
async function faultsOf(
	row: Row,
	expression: string,
	readWith: (path: FormPath, value: unknown) => Promise<Reading>,
	unset: Reading,
): Promise<string[]> {
	const about = `${row.name} = {{ ${expression} }}`;
	const reading = await readWith(row.path, `={{ ${expression} }}`);
	if (blank.includes(expression) && isEqual(reading, unset)) return [];
	if ('refused' in reading) {
		const { refused } = reading;
		return names(refused, row.label) ? [] : [`${about}: ${String(refused)}`];
	}
	if (mayBeLeftOut(row) && nothing.includes(expression)) return [];
	const value = entered(expression);
	const isChoice = [value].flat().every((choice) => row.choices?.includes(choice));
	if (row.choices && !isChoice) return [`${about}: taken for another choice`];
	const isDefault = value === row.byDefault;
	// A name that the ID doesn't prove has the same answer as no name.
	const isUnproven = row.name === 'expectedName';
	// The forms cause no warnings, so turning the option on changes nothing.
	const hasNoEffect = row.name === 'options.sendDespiteWarnings' && value === 1;
	if (!isDefault && !isUnproven && !hasNoEffect && isEqual(reading, unset))
		return [`${about}: as if it had not been set`];
	const fixed = await readWith(row.path, value);
	return isEqual(reading, fixed) ? [] : [`${about}: not as the same value without an expression`];
}

const markup = '<img src=x onerror=1>';

/** Enters markup into a field. @returns The strings in which n8n's editor would render that markup. */
async function markupShown(operation: Operation, { name, form, path }: Row): Promise<string[]> {
	const { resource, value } = operation;
	// One error lists all wrong values, so the error about a wrong country contains those in the other fields.
	const wrong = { country: { __rl: true, mode: 'name', value: `[object Object] ${markup}` } };
	const entered = formWith(form, path, markup);
	const keyed = (key: string, item: IDataObject) => ({
		...item,
		options: { ...objectOf(item.options), sendOnceKey: `${markup} ${key}` },
	});
	const bad = { ...entered, ...wrong };
	const runs: IDataObject[][] = [
		[entered],
		[entered, bad],
		...(operation.sends ? [[keyed('1', bad), keyed('2', form), keyed('3', bad)]] : []),
	];
	const found: string[] = [];
	for (const perItem of runs) {
		for (const continueOnFail of [false, true]) {
			const hints: NodeExecutionHint[] = [];
			const shown = await settle(
				runAction(keeper, {
					parameters: { ...form, resource, operation: value },
					items: perItem.map(() => ({ [markup]: markup })),
					perItem,
					continueOnFail,
					hints,
					mode: 'manual',
				}),
			);
			const errors = shown.ok ? shown.value.map(({ json }) => json.error) : [shown.error];
			found.push(...markupIn(...errors, ...hints));
		}
	}
	return found.map((line) => `${name}: ${line}`);
}

function isEqual(one: Reading, other: Reading): boolean {
	const toText = (reading: Reading) =>
		'used' in reading ? `used ${reading.used}` : String(reading.refused);
	return toText(one) === toText(other);
}

/** Whether the place is a template field. A template field without a value is left out of the contract. */
function mayBeLeftOut({ path }: FormPlace): boolean {
	return path[0] === 'fields' && path[1] === 'value' && path.length === 3;
}

describe.each(testedOperations.map(({ words, operation }) => [words, operation] as const))(
	'%s',
	(_called, operation) => {
		test('has a test row for every field', async () => {
			const rows = (await rowsOf(operation)).map(({ name }) => name);
			expect(namesIn(operation.fields).filter((name) => !rows.includes(name))).toEqual([]);
		});

		test('either uses each value of each field or rejects it with an error that names the field', async () => {
			const faults: string[] = [];
			for (const row of await rowsOf(operation)) {
				const readWith = async (path: FormPath, value: unknown) =>
					await read(operation, formWith(row.form, path, value));
				const unset = await readWith(row.path, undefined);
				const name = `${operation.resource} ${operation.value} ${row.name}`;
				for (const expression of sampled(expressions, expressionsInSample, name)) {
					faults.push(...(await faultsOf(row, expression, readWith, unset)));
				}
			}
			expect(faults).toEqual([]);
		});

		test('shows markup entered in any field as plain text', async () => {
			const found: string[] = [];
			const name = `${operation.resource} ${operation.value}`;
			for (const row of sampled(await rowsOf(operation), fieldsInSample, name))
				found.push(...(await markupShown(operation, row)));
			expect(found).toEqual([]);
		});
	},
);

/** Makes the trigger's service return no templates and no files. */
const fault = (what: string) => {
	if (what.includes('/templates')) return { body: { success: true, responseData: [] } };
	return what.includes('files.example') ? { status: 404 } : undefined;
};

/** Publishes a trigger and sends it an event that only a filter can exclude. */
async function start(form: IDataObject) {
	clearAll();
	const logged: string[] = [];
	const { registered, trigger: triggerOf } = setUpService({ fault });
	const node = triggerOf(form.events, { form, logged });
	const published = await settle(node.create());
	const documentURL = 'https://files.example/lease.pdf';
	const body = completedEvent({ ...signed, title: 'Lease', templateID: 'lease', documentURL });
	const { status, items } = await node.call({ body });
	const types = registered().map((line) => line.split(' ')[0]);
	const output = JSON.stringify(items).replaceAll(/"(?:eventId|documentId)":"[^"]*"/g, '');
	const used = JSON.stringify([types, status, output]);
	return { published, status, items, logged: logged.join(' '), used };
}

const triggerForm = {
	events: ['completedDocument'],
	// No filters are set, because any of them could exclude the event.
	filters: {},
	downloadFiles: false,
	options: { include: ['history'], output: 'simplified' },
};

describe('the trigger', () => {
	const rows = placesOf(triggerFields, triggerForm as INodeParameters).map((place) => ({
		...place,
		name: place.path.join('.'),
	}));

	test('has a test row for every field', () => {
		const names = rows.map(({ name }) => name);
		expect(namesIn(triggerFields).filter((name) => !names.includes(name))).toEqual([]);
	});

	test.each(rows)(
		'shows markup entered in the "$name" parameter as plain text',
		async ({ path }) => {
			const form: IDataObject = { ...triggerForm };
			const { published } = await start(formWith(form, path, markup));
			expect(markupIn(published.ok ? undefined : published.error)).toEqual([]);
		},
	);

	test.each(rows)(
		'either uses each value of the "$name" parameter or fails to publish and rejects events so that they are resent',
		async (row) => {
			const { name, path, label } = row;
			const plain: IDataObject = { ...triggerForm };
			// The form shows the list of files only if the trigger downloads files.
			if (name === 'files') plain.downloadFiles = true;
			const unset = await start(formWith(plain, path, undefined));
			const faults: string[] = [];
			for (const expression of sampled(expressions, expressionsInSample, name)) {
				const about = `${name} = {{ ${expression} }}`;
				const started = await start(formWith(plain, path, `={{ ${expression} }}`));
				const { published, status, items, logged, used } = started;
				if (published.ok) {
					if (blank.includes(expression) && used === unset.used) continue;
					const fixed = await start(formWith(plain, path, entered(expression)));
					if (status >= 500) faults.push(`${about}: an event is refused after publishing`);
					if (used === unset.used) faults.push(`${about}: as if it had not been set`);
					if (used !== fixed.used) faults.push(`${about}: not as the same value`);
					continue;
				}
				const { message } = published.error as Error;
				if (!message.includes(label)) faults.push(`${about}: ${message}`);
				if (status < 500 || items.length > 0) faults.push(`${about}: an event gets ${status}`);
				if (!logged.includes(label)) faults.push(`${about}: n8n's log has ${logged}`);
			}
			expect(faults).toEqual([]);
		},
	);
});
