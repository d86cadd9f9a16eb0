import '../support/shortPauses';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { ServiceError } from '../../nodes/SignVerify/http/serviceError';
import { createItemContexts } from '../../nodes/SignVerify/item/item';
import { checkItem } from '../../nodes/SignVerify/operations/sendItem';
import { triggerFields } from '../../nodes/SignVerify/trigger/form';
import { settle } from '../../nodes/SignVerify/util/async';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { operationNamed, testedOperations } from '../operations';
import { clientOf, type CredentialKeeper } from '../support/credentials';
import { executeContext } from '../support/contexts';
import { setUpService } from '../support/registrations';
import { wordsWith } from '../support/problemWords';
import { sampled } from '../support/sample';
import {
	ada,
	contract,
	despite,
	fields,
	mapped,
	useService,
	v1Setup,
	v2,
} from '../support/service';
import { keyProblems } from '../../nodes/SignVerify/operations/sendingProblems';

/*
 * One table of all text fields of both nodes. The same slip has the same consequence in every field, unless the
 * field's row has a reason for another one.
 */

/** What the node does with a text: it refuses it, uses it with a warning, or uses it without a word. */
type Verdict = 'error' | 'warning' | 'used';

/** A warning that stops no item. */
type Expected = Verdict | 'note';

/** The slips, each with its usual consequence. `start` is a column of the item, and `missing` is none. */
const slips = {
	'typed expression': {
		verdict: 'error',
		// Without "=", n8n saves the expression as plain text.
		saved: (rest: string) => `{{ $json.start }}${rest}`,
		words: valueProblems.typedExpression.problem,
	},
	undefined: {
		verdict: 'error',
		saved: (rest: string) => `={{ $json.missing + '' }}${rest}`,
		words: '',
	},
	'missing column': {
		verdict: 'error',
		saved: () => '={{ $json.missing }}',
		words: columnProblems.missing('missing', '…').problem,
	},
	'missing part': {
		verdict: 'warning',
		saved: (rest: string) => `={{ $json.start }}{{ $json.missing }}${rest}`,
		words: `${columnProblems.partMissing.problem}, because ${columnProblems.missing('missing', '…').problem}`,
	},
	'missing part with a method': {
		verdict: 'warning',
		saved: (rest: string) => `={{ $json.start }}{{ $json.missing.trim() }}${rest}`,
		words: `${columnProblems.partMissing.problem}, because ${columnProblems.missing('missing', '…').problem}`,
	},
	damaged: {
		verdict: 'error',
		saved: (rest: string) => `={{ $json.start }}\uFFFD${rest}`,
		words: '',
	},
} satisfies Record<string, { verdict: Verdict; saved: (rest: string) => string; words: string }>;
type Slip = keyof typeof slips;

interface TextField {
	/** The operations, such as `identity/request`, or `trigger`. */
	of: string[];
	/** The field's path in the form. */
	path: string;
	/** The field's name in messages. */
	label: string;
	/** The name of the field that contains an expression typed as plain text, if it's a list of texts. */
	list?: string;
	/** The name of the field in a message about a missing part, if the expression returns more than this text. */
	whole?: string;
	/** Fills in the form. */
	form: (text: string) => IDataObject;
	/** A right text in two parts, of which the first comes from the item's column `start`. */
	right: [start: string, rest: string];
	/** The slips with another consequence than usual, and the reason. */
	unlike?: Partial<Record<Slip, [Expected, reason: string]>>;
}

const service = useService();
let keeper: CredentialKeeper;
/** The IDs of an identity request and of a webhook. */
const ids = { request: '', webhook: '' };
beforeAll(async () => {
	keeper = service.credential();
	const client = clientOf(service.sandbox);
	await client.requestIdentity(ada.email);
	ids.request = String(service.sandbox.identityRequests()[0]?.validationId);
});
async function registerWebhook(): Promise<void> {
	const client = clientOf(service.sandbox);
	await client.registerWebhook('signDocument', 'https://example.com/events');
	ids.webhook = String(service.sandbox.webhooks().at(-1)?.webHookID);
}

const chosen = (mode: string) => (value: string) => ({ __rl: true, mode, value });
const sending = ['document/send', 'document/sendAndWait'];
const ana: TextField['right'] = ['ana', '@example.com'];

const authors =
	"the wording of a contract is its author's, so the word may be right in longer text";
const links = 'a URL may contain any word, and a message would show it with its secrets';
const noItem = 'a trigger has no item, so n8n refuses an expression that reads $json';
const inTrigger: TextField['unlike'] = { 'missing part': ['used', noItem] };

const signatory = (person: IDataObject) => ({
	signatories: { signatory: [{ ...ada, ...person }] },
});
const byRole = (person: IDataObject) => ({
	specifySignatories: 'byRole',
	signatoryRoles: mapped({ 'employee.name': ada.name, 'employee.email': ada.email, ...person }),
});
/** A list of people as JSON text, whose parts may be expressions. */
const listed = (name: string, email: string) => {
	const isExpression = [name, email].some((text) => text.startsWith('='));
	const [plainName, plainEmail] = [name, email].map((text) => text.replace(/^=/, ''));
	const list = `[{ "name": "${plainName}", "email": "${plainEmail}" }]`;
	return { specifySignatories: 'expression', signatoriesList: isExpression ? `=${list}` : list };
};

/** The fields as JSON text, whose values may be expressions. */
const asObject = (values: Record<string, string>) => {
	const isExpression = Object.values(values).some((text) => text.startsWith('='));
	const plain = Object.entries(values).map(([key, text]) => [key, text.replace(/^=/, '')]);
	const json = JSON.stringify(Object.fromEntries(plain));
	return { specifyFields: 'expression', fieldsObject: isExpression ? `=${json}` : json };
};

const nameOfFile = {
	document: 'Document',
	certificate: 'Certificate',
	pscCertificate: 'PSC Certificate',
};

const table: TextField[] = [
	{
		of: [...sending, 'template/get'],
		path: 'templateId',
		label: 'Template',
		form: (text) => ({ templateId: chosen('id')(text) }),
		right: [contract, ''],
	},
	{
		of: [...sending, 'template/get'],
		path: 'templateId (By Name)',
		label: 'Template',
		form: (text) => ({ templateId: chosen('name')(text) }),
		right: ['Employment', ' contract'],
	},
	{
		of: sending,
		path: 'signatories.signatory.name',
		label: 'Name (Signatory 1)',
		form: (text) => signatory({ name: text }),
		right: ['Ana', ' Gil'],
	},
	{
		of: sending,
		path: 'signatories.signatory.email',
		label: 'Email (Signatory 1)',
		form: (text) => signatory({ email: text }),
		right: ana,
	},
	{
		of: sending,
		path: 'signatoryRoles',
		label: 'Name (employee)',
		form: (text) => byRole({ 'employee.name': text }),
		right: ['Ana', ' Gil'],
	},
	{
		of: sending,
		path: 'signatoryRoles',
		label: 'Email (employee)',
		form: (text) => byRole({ 'employee.email': text }),
		right: ana,
	},
	{
		of: sending,
		path: 'signatoriesList',
		label: 'Name (Signatory 1)',
		list: 'Signatories',
		form: (text) => listed(text, ada.email),
		right: ['Ana', ' Gil'],
	},
	{
		of: sending,
		path: 'signatoriesList',
		label: 'Email (Signatory 1)',
		list: 'Signatories',
		form: (text) => listed(ada.name, text),
		right: ana,
	},
	{
		of: sending,
		path: 'fields',
		label: 'Job title',
		form: (text) => ({ fields: mapped({ ...fields, role: text }) }),
		right: ['Head', ' of sales'],
		unlike: { undefined: ['warning', authors] },
	},
	{
		of: sending,
		path: 'fields',
		label: 'Workplace',
		form: (text) => ({ fields: mapped({ ...fields, workplace: text }) }),
		right: ['New', ' York'],
		unlike: {
			undefined: ['warning', authors],
			'missing column': ['used', 'an optional field without a value is left out'],
			'missing part': ['note', 'in a run of one item, the column may just be empty'],
		},
	},
	{
		of: sending,
		path: 'fieldsObject',
		label: 'Job title',
		list: 'Fields',
		whole: 'Fields',
		form: (text) => asObject({ ...fields, role: text }),
		right: ['Head', ' of sales'],
		unlike: { undefined: ['warning', authors] },
	},
	...['name', 'list'].map((mode): TextField => ({
		of: sending,
		path: 'country',
		label: 'Country',
		form: (text) => ({ country: chosen(mode)(text) }),
		right: ['El', ' Salvador'],
		unlike: { undefined: ['warning', authors] },
	})),
	{
		of: [...sending, 'identity/request'],
		path: 'options.sendOnceKey',
		label: 'Send Once Key',
		form: (text) => ({ options: { sendOnceKey: text } }),
		right: ['C', '-7'],
		unlike: {
			'missing part': ['error', 'items with the same rest would be skipped'],
			damaged: ['used', 'it still differs from item to item, and no one reads it'],
		},
	},
	{
		of: [...sending, 'identity/request'],
		path: 'testEmail',
		label: 'Your Email',
		form: (text) => ({ inTestRuns: 'me', testEmail: text }),
		right: ana,
	},
	{
		of: sending,
		path: 'options.signPositions.position.email',
		label: 'Signature Position 1, Signatory Email',
		form: (text) => ({
			...v1Setup(service).parameters,
			...signatory({ email: ana.join('') }),
			options: { signPositions: { position: [{ email: text }] } },
		}),
		right: ana,
	},
	...(['document', 'certificate', 'pscCertificate'] as const).map((file): TextField => ({
		of: ['document/download'],
		path: `${file}Url`,
		label: `${nameOfFile[file]} URL`,
		form: (text) => ({ files: [file], [`${file}Url`]: text }),
		get right(): TextField['right'] {
			return [`${service.sandbox.url}/files/`, 'lease.pdf'];
		},
		unlike: { damaged: ['used', links] },
	})),
	{
		of: ['template/getAll'],
		path: 'filters.name',
		label: 'Name Contains',
		form: (text) => ({ filters: { name: text } }),
		right: ['e', ''],
	},
	{
		of: ['webhook/create'],
		path: 'webhookUrl',
		label: 'Webhook URL',
		form: (text) => ({ event: 'signDocument', webhookUrl: text }),
		right: ['https://example.com/', 'events'],
		unlike: { damaged: ['used', links] },
	},
	{
		of: ['webhook/create'],
		path: 'name',
		label: 'Name',
		form: (text) => ({
			event: 'VERIFICATION_REQUEST_FINISHED',
			webhookUrl: 'https://example.com/events',
			name: text,
		}),
		right: ['Checks', ''],
	},
	{
		of: ['webhook/delete'],
		path: 'webhookId',
		label: 'Webhook',
		form: (text) => ({ webhookId: chosen('id')(text) }),
		get right(): TextField['right'] {
			return [ids.webhook, ''];
		},
	},
	{
		of: ['identity/request'],
		path: 'email',
		label: 'Email',
		form: (text) => ({ email: text }),
		right: ana,
	},
	{
		of: ['identity/request'],
		path: 'verificationType',
		label: 'Verification Type',
		form: (text) => ({ verificationType: text }),
		right: ['FACE', ''],
	},
	{
		of: ['identity/get', 'identity/getResults', 'identity/sendAndWait'],
		path: 'validationId',
		label: 'Verification ID',
		form: (text) => ({ validationId: text }),
		get right(): TextField['right'] {
			return [ids.request, ''];
		},
	},
	{
		of: ['identity/getResults', 'identity/sendAndWait'],
		path: 'expectedName',
		label: 'Expected Name',
		form: (text) => ({ validationId: ids.request, expectedName: text }),
		right: ['Ana', ' Gil'],
		unlike: {
			'missing part': ['error', 'the ID would be compared with the rest alone, days later'],
		},
	},
	{
		of: ['identity/getResults', 'identity/sendAndWait'],
		path: 'options.expectedBirthDate',
		label: 'Expected Birth Date',
		form: (text) => ({
			validationId: ids.request,
			options: { expectedBirthDate: text },
		}),
		right: ['1990-01-', '01'],
		unlike: {
			undefined: [
				'warning',
				'"undefined01" is no certain day, and such a date only makes the answer unknown',
			],
			'missing part': ['error', 'the ID would be compared with the rest alone, days later'],
		},
	},
	{
		of: ['identity/getResults', 'identity/sendAndWait'],
		path: 'options.expectedDocumentNumber',
		label: 'Expected Document Number',
		form: (text) => ({
			validationId: ids.request,
			options: { expectedDocumentNumber: text },
		}),
		right: ['SAMPLE', '-0000'],
		unlike: {
			'missing part': ['error', 'the ID would be compared with the rest alone, days later'],
		},
	},
	{
		of: ['trigger'],
		path: 'filters.templates',
		label: 'Template Names or IDs',
		form: (text) => ({ filters: { templates: text } }),
		right: ['lease', ''],
		unlike: inTrigger,
	},
];

/** The types of the fields that take text. A choice from a list that n8n loads may also be an expression. */
const textTypes = ['string', 'json', 'resourceLocator', 'resourceMapper'];

/** Returns the paths of all fields that take text. */
function textFieldsIn(all: INodeProperties[], path: string[] = []): string[] {
	return all.flatMap((field) => {
		const own = [...path, field.name];
		const { type, options = [], typeOptions } = field;
		if (type === 'collection') return textFieldsIn(options as INodeProperties[], own);
		if (type === 'fixedCollection') {
			return options.flatMap((group) =>
				'values' in group ? textFieldsIn(group.values, [...own, group.name]) : [],
			);
		}
		const isLoaded = type === 'multiOptions' && typeOptions?.loadOptionsMethod !== undefined;
		return textTypes.includes(type) || isLoaded ? [own.join('.')] : [];
	});
}

const forms: Array<[name: string, fields: INodeProperties[]]> = [
	...testedOperations.map(({ name, operation }): [string, INodeProperties[]] => [
		name,
		operation.fields,
	]),
	['trigger', triggerFields],
];

test.each(forms)('every text field of %s has a row', (name, all) => {
	const rows = table.filter(({ of }) => of.includes(name)).map(({ path }) => path.split(' ')[0]);
	const found = textFieldsIn(all);
	const missing = found.filter((path) => !rows.includes(path));
	expect(missing.map((path) => `add a row for ${path} to the table of this file`)).toEqual([]);
	expect(rows.filter((path) => !found.includes(String(path)))).toEqual([]);
});

/** What the node did with a form. */
interface Outcome {
	verdict: Verdict;
	/** The error, or the warnings. */
	words: string[];
}

/** Works on one item, up to the first call that sends something. */
async function outcomeIn(name: string, form: IDataObject, start: string): Promise<Outcome> {
	if (name === 'trigger') {
		const published = await settle(
			setUpService().trigger(['completedDocument'], { form }).create(),
		);
		return published.ok
			? { verdict: 'used', words: [] }
			: { verdict: 'error', words: [String((published.error as Error).message)] };
	}
	const { operation } = operationNamed(name);
	const { resource, value } = operation;
	const whole: IDataObject = {
		...(resource === 'document' && operation.sends ? v2 : {}),
		...(resource === 'identity' && operation.sends ? { email: ada.email } : {}),
		...form,
		options: { ...(operation.sends ? despite : {}), ...objectOf(form.options) },
		resource,
		operation: value,
	};
	// The mode is "manual", because the node reads In Test Runs only in test runs.
	const context = executeContext(keeper, { parameters: whole, items: [{ start }], mode: 'manual' });
	const item = createItemContexts(context, new ServiceClient(context), operation).contextOf(0);
	const work = operation.sends ? checkItem(item, operation) : operation.run(item);
	const done = await settle<unknown>(work);
	// After an error of the service, the node has accepted the form.
	if (!done.ok && !(done.error instanceof ServiceError)) {
		return { verdict: 'error', words: [String((done.error as Error).message)] };
	}
	const warnings = item.warnings.filter(
		(warning) => !warning.includes(keyProblems.sameForAll.problem),
	);
	return { verdict: warnings.length > 0 ? 'warning' : 'used', words: warnings };
}

/** Whether the operation's form has the option without which warnings are errors. */
function mayStop(name: string): boolean {
	const { fields: all } = operationNamed(name).operation;
	const options = all.find((field) => field.name === 'options')?.options ?? [];
	return options.some((option) => option.name === 'sendDespiteWarnings');
}

const rows = table.flatMap((row) =>
	row.of.map((name) => [`${name}: ${row.path}, ${row.label}`, name, row] as const),
);

/** How many of the slips are tested in each field, unless everything is tested. */
const slipsInSample = 2;

describe.each(rows)('%s', (rowName, name, row) => {
	const cells = sampled(Object.keys(slips) as Slip[], slipsInSample, rowName);

	// A test of this operation may delete the webhook.
	if (name === 'webhook/delete') beforeEach(registerWebhook);

	test('is used without a word if it is right', async () => {
		const [start, rest] = row.right;
		const right = name === 'trigger' ? `=${start}${rest}` : `={{ $json.start }}${rest}`;
		expect(await outcomeIn(name, row.form(right), start)).toEqual({ verdict: 'used', words: [] });
	});

	test.each(cells)('is judged like all others: %s', async (slip) => {
		const { verdict: usual, saved, words } = slips[slip];
		const unlike = row.unlike?.[slip === 'missing part with a method' ? 'missing part' : slip];
		const [expected] = unlike ?? [usual];
		const verdict = expected === 'note' ? 'warning' : expected;
		const [start, rest] = row.right;
		const isTyped = slip === 'typed expression';
		const text = saved(rest);
		// An expression in a trigger can't read the item's columns.
		const entered =
			name === 'trigger' && !isTyped ? text.replace('{{ $json.start }}', start) : text;
		const form = row.form(entered);
		const outcome = await outcomeIn(name, form, start);
		const told = outcome.words.join(' ');
		expect({ verdict: outcome.verdict, told }).toEqual({ verdict, told });
		if (verdict === 'used') return;
		const whole = slip.startsWith('missing part') ? row.whole : undefined;
		const label = (isTyped && row.list) || whole || row.label;
		expect(` ${told}`).toContain(` ${label}: `);
		// In the model of n8n, an expression in a trigger reads an empty item instead of failing.
		if (name !== 'trigger' || isTyped) expect(told).toMatch(wordsWith(words));
		if (verdict !== 'warning' || !mayStop(name)) return;
		const options = { ...objectOf(form.options), sendDespiteWarnings: false };
		const strict = await outcomeIn(name, { ...form, options }, start);
		expect(strict.verdict).toBe(expected === 'note' ? 'warning' : 'error');
	});
});
