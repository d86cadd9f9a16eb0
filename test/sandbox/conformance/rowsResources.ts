import type { Call, Live } from './live';
import {
	bool,
	each,
	either,
	epochMs,
	type FieldRows,
	fieldRows,
	filled,
	integer,
	isoTime,
	list,
	number,
	object,
	oneOf,
	optional,
	type Row,
	text,
	webAddress,
} from './shapes';

const ENVELOPE: FieldRows = [
	[
		'responseData',
		{
			responseData: (value, at) => (typeof value === 'object' && value ? [] : [`${at} is missing`]),
		},
	],
	// Each endpoint's own row says which.
	['message', { message: optional(filled) }],
	['success', { success: oneOf(true) }],
	['responseCode', { responseCode: oneOf(200) }],
];

const WEBHOOK: FieldRows = [
	['webHookID', { webHookID: filled }],
	['type', { type: filled }],
	['addedOn', { addedOn: optional(epochMs) }],
	['webHookUrl', { webHookUrl: webAddress }],
	['name', { name: optional(filled) }],
	['options', { options: list() }],
];

const variable = { key: filled, type: oneOf('text'), isRequired: bool, label: filled };
const formField = object({ ...variable, _id: filled });

const TEMPLATE_V1: FieldRows = [
	['_id, templateID, userID', each('_id, templateID, userID', filled)],
	['name, description', each('name, description', text)],
	['inputs', { inputs: list(object(variable)) }],
];

const TEMPLATE_V2: FieldRows = [
	['_id, templateID', each('_id, templateID', filled)],
	['name, description, key', each('name, description, key', text)],
	['status', { status: filled }],
	[
		'signatories',
		{ signatories: list(object({ key: filled, type: oneOf('signature'), _id: filled })) },
	],
	['form', { form: list(formField) }],
	['formSignatory', { formSignatory: list(formField) }],
];

const IDENTITY: FieldRows = [
	['userId', { userId: filled }],
	['emailId', { emailId: oneOf('ana@example.com') }],
	['status', { status: oneOf('CREATED') }],
	['createdAt', { createdAt: isoTime }],
	['sessionId', { sessionId: filled }],
	// Null until the person is done (docs/dev/service.md#seen-identity).
	['customerId', { customerId: either(filled, oneOf(null)) }],
	['url', { url: webAddress }],
	['backgroundCheck', { backgroundCheck: bool }],
];

const scored = object({ value: either(number, oneOf('')), status: text });
const status = object({ status: text });

const SCORE: FieldRows = [
	['idValidation.overall', { idValidation: object({ overall: scored }) }],
	[
		'liveness',
		{
			liveness: object({
				livenessScore: scored,
				digitalAttack: status,
				evasionAttack: status,
				overall: scored,
			}),
		},
	],
	[
		'faceRecognition',
		{
			faceRecognition: object({
				maskCheck: scored,
				...each('lensesCheck, faceBrightness, nameMatch', status),
				overall: scored,
			}),
		},
	],
	['overall', { overall: scored }],
];

const OCR_TEXTS =
	'exteriorNumber, interiorNumber, typeOfId, gender, claveDeElector, curp, numeroEmisionCredencial, cic, ocr, documentNumber, permissionType, expireAt, expirationDate, issueDate, registrationDate, issuingCountry, birthPlace, nationality, documentNumberCheckDigit, dateOfBirthCheckDigit, expirationDateCheckDigit';

const OCR: FieldRows = [
	[
		'name',
		{
			name: object(each('fullName, lastName, firstName, paternalLastName, maternalLastName', text)),
		},
	],
	['address', { address: text }],
	[
		'addressFields',
		{ addressFields: object(each('street, colony, postalCode, city, state, stateCode', text)) },
	],
	[OCR_TEXTS, each(OCR_TEXTS, text)],
	['birthDate', { birthDate: integer }],
];

/** `responseData` of an answer. */
export function dataOf<T = Record<string, unknown>>({ body }: Call): T {
	return body.responseData as T;
}

const results = (live: Live) =>
	dataOf<{ results: { score: unknown; ocr: unknown } }>(
		live.calls['GET /identity/session/results/:sessionId'],
	).results;

/** All registrations that the client has seen. */
const webhooks = ({ calls }: Live) => [
	dataOf(calls['POST /webhooks']),
	dataOf(calls['POST /webhooks/verify']),
	...dataOf<unknown[]>(calls['GET /webhooks']),
];

const templates = (call: Call) => dataOf<{ templates: unknown[] }>(call).templates;

/** The tables of all resources but the Document and what is in it. */
export const resourceRows: Row[] = [
	...fieldRows(
		'Response envelope',
		({ calls }) => Object.values(calls).map(({ body }) => body),
		ENVELOPE,
	),
	...fieldRows('Webhook registration', webhooks, WEBHOOK),
	...fieldRows(
		'Template, version 1',
		({ calls }) => templates(calls['GET /templates']),
		TEMPLATE_V1,
	),
	...fieldRows(
		'Template, version 2',
		({ calls }) => templates(calls['GET /templates/v2']),
		TEMPLATE_V2,
	),
	...fieldRows(
		'Identity verification request',
		({ calls }) => [dataOf(calls['GET /identity/validation/request/:validationId'])],
		IDENTITY,
	),
	...fieldRows('Identity verification results', (live) => [results(live).score], SCORE),
	...fieldRows('Identity verification results', (live) => [results(live).ocr], OCR),
];

/** Every resource that the client has seen, with its exact shape: nothing may be beyond it. */
export function resourcesOf(live: Live): Array<[name: string, rows: FieldRows, seen: unknown[]]> {
	const { calls } = live;
	return [
		['envelope', ENVELOPE, Object.values(calls).map(({ body }) => body)],
		['webhook', WEBHOOK, webhooks(live)],
		['template v1', TEMPLATE_V1, templates(calls['GET /templates'])],
		['template v2', TEMPLATE_V2, templates(calls['GET /templates/v2'])],
		[
			'identity request',
			IDENTITY,
			[dataOf(calls['GET /identity/validation/request/:validationId'])],
		],
		['score', SCORE, [results(live).score]],
		['ocr', OCR, [results(live).ocr]],
	];
}
