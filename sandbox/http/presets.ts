import type { Account } from '../service/account';
import { ServiceRefusal } from '../service/refusal';
import type { Fault, FaultPreset } from '../types';
import type { Faults } from './faults';

const webPage =
	'<!doctype html><html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>';

/** Matches both versions of the create call, because a fault is usually meant for both. */
const create = 'POST /templates/createDocumentByTemplate*';

interface Preset extends FaultPreset {
	/** The faults to set, each with the sentence that the page shows while the fault is active. */
	faults: Array<{ fault: Fault; active: string }>;
	/** Whether the preset also invalidates all tokens. */
	endsTokens?: boolean;
}

/** Common faults that can be set by name. */
const presets: Preset[] = [
	{
		name: 'too-many-requests',
		title: 'Too many requests',
		text: 'The next 3 calls are rejected, and the service asks n8n to wait for 2 seconds.',
		faults: [
			{
				fault: {
					endpoint: '*',
					times: 3,
					response: {
						status: 429,
						headers: { 'Retry-After': '2' },
						body: refusal(429, 'Too many requests'),
					},
				},
				active: 'Calls are rejected, and the service asks n8n to wait for 2 seconds.',
			},
		],
	},
	{
		name: 'refused-in-200',
		title: 'Rejection disguised as success',
		text: 'The next document, identity request, and webhook are rejected with a response that looks like a success.',
		faults: [
			{ endpoint: create, what: 'A document' },
			{ endpoint: 'POST /identity/validation/request', what: 'An identity request' },
			{ endpoint: 'POST /webhooks*', what: 'A webhook' },
		].map(({ endpoint, what }) => ({
			fault: {
				endpoint,
				times: 1,
				response: { status: 200, body: { responseCode: 400, message: 'Some emails are repeated' } },
			},
			active: `${what} is rejected with a response that looks like a success.`,
		})),
	},
	{
		name: 'refused-with-errors',
		title: 'Rejection with a list of errors',
		text: 'The next document is rejected with a list of errors that names the fields.',
		faults: [
			{
				fault: {
					endpoint: create,
					times: 1,
					response: {
						status: 422,
						body: {
							...refusal(422, 'Validation failed'),
							errors: [
								{ field: 'country', message: 'Not supported for this template' },
								{ field: 'signatories.0.email', message: 'This address is blocked' },
							],
						},
					},
				},
				active: 'A document is rejected with a list of errors that names the fields.',
			},
		],
	},
	{
		name: 'response-lost',
		title: 'Response lost',
		text: 'The next document is created and its emails go out, but the response never arrives.',
		faults: [
			{
				fault: { endpoint: create, times: 1, reset: 'after' },
				active: 'A document is created and its emails go out, but the response never arrives.',
			},
		],
	},
	{
		name: 'service-down',
		title: 'Service down for a minute',
		text: "Every call fails until a minute has passed on the sandbox's clock.",
		faults: [
			{
				fault: {
					endpoint: '*',
					forMs: 60_000,
					response: { status: 503, body: refusal(503, 'Service unavailable') },
				},
				active: 'Every call fails.',
			},
		],
	},
	{
		name: 'token-expired',
		title: 'Token expires now',
		text: 'The current token stops working, so n8n has to get a new one.',
		faults: [],
		endsTokens: true,
	},
	{
		name: 'web-page',
		title: 'Web page instead of a response',
		text: 'The next call gets a sign-in page, like the ones some proxies return.',
		faults: [
			{
				fault: {
					endpoint: '*',
					times: 1,
					response: { status: 200, headers: { 'Content-Type': 'text/html' }, body: webPage },
				},
				active: 'A call gets a sign-in page, like the ones some proxies return.',
			},
		],
	},
];

function refusal(responseCode: number, message: string): object {
	return { responseData: {}, message, success: false, responseCode };
}

export function faultPresets(): FaultPreset[] {
	return presets.map(({ name, title, text }) => ({ name, title, text }));
}

/**
 * Sets a preset's faults, in addition to those that are already active.
 * @throws ServiceRefusal with status 404 if no preset has this name.
 */
export function setPreset(
	{ account, faults }: { account: Account; faults: Faults },
	name: string,
): FaultPreset {
	const preset = presets.find((one) => one.name === name);
	if (!preset) {
		const known = presets.map((one) => one.name).join(', ');
		throw new ServiceRefusal(404, `Preset "${name.slice(0, 80)}" not found. Choose from: ${known}`);
	}
	for (const { fault, active } of preset.faults) faults.set(fault, { title: preset.title, active });
	if (preset.endsTokens) account.endTokens();
	const { title, text } = preset;
	return { name, title, text };
}
