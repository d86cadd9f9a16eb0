import { runAction } from '../support/contexts';
import { failureOf, useService } from '../support/service';

// Those of a document are in createFromTemplate.failures.test.ts.
const service = useService();

const refuse = (endpoint: string, message: unknown) =>
	service.sandbox.faults.set({
		endpoint,
		answer: { status: 400, body: { success: false, message } },
	});

test('a refused identity request names the fields as the form does', async () => {
	refuse('POST /identity/validation/request', [
		{ msg: 'must be an email', path: 'email' },
		{ msg: 'Invalid value', param: 'type' },
	]);
	const parameters = { resource: 'identity', operation: 'request', email: 'ada@example.com' };
	const error = await failureOf(runAction(service.credential(), { parameters }));
	expect(error.message).toBe(
		'The service refused the request (HTTP 400: Email: must be an email; Verification Type: Invalid value)',
	);
});

test.each([
	['signDocument', 'POST /webhooks'],
	['VERIFICATION_REQUEST_FINISHED', 'POST /webhooks/verify'],
])(
	'a refused webhook for %s names the fields, and does not quote the URL',
	async (event, endpoint) => {
		const webhookUrl = 'https://example.com/events?secret=0123456789abcdef';
		refuse(endpoint, [
			{ msg: `must be shorter than 20 characters, but is ${webhookUrl}`, path: 'url' },
		]);
		const parameters = {
			resource: 'webhook',
			operation: 'create',
			event,
			webhookUrl,
			name: 'Checks',
		};
		const error = await failureOf(runAction(service.credential(), { parameters }));
		expect(error.message).toBe(
			'The service refused the request (HTTP 400: Webhook URL: must be shorter than 20 characters, but is …)',
		);
		expect(JSON.stringify([error.message, error.description])).not.toContain('0123456789abcdef');
	},
);
