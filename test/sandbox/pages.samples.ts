import type { ConsoleView, SigningSession } from '../../sandbox/views';
import { seedTemplates } from '../../sandbox/documents/templates';
import { passagesOf } from '../../sandbox/documents/text';
import type { SandboxTemplate } from '../../sandbox/documents/types';
import type { MailView } from '../../sandbox/types';

/** What somebody up to no good would put into a name, an input, a subject or a file name. */
export const HOSTILE = `"><img src=x onerror=alert(1)><script>alert('x')</script>`;

/** A fixed moment, epoch-ms. */
export const AT = Date.UTC(2025, 0, 15, 9, 30);

/** The seed template with this key. */
export function template(key: string): SandboxTemplate {
	const found = seedTemplates().find((one) => one.key === key);
	if (!found) throw new Error(`no template ${key}`);
	return found;
}

/** A mail with everything, changed as given. */
export function mail(changes: Partial<MailView> = {}): MailView {
	return {
		id: 'm1',
		from: 'Signing sandbox <no-reply@sandbox.example.com>',
		to: ['ana@example.com'],
		subject: 'Please sign: Employment contract',
		receivedAt: AT,
		text: 'Hello Ana,\nsign here: http://127.0.0.1:4000/sign/tok-open.',
		html: '<p style="color:#0b6169">Hello Ana,</p><p><a href="http://127.0.0.1:4000/sign/tok-open">Sign the document</a></p>',
		attachments: [{ fileName: 'terms.pdf', mimeType: 'application/pdf', size: 12_345 }],
		...changes,
	};
}

/** A signing session that is open, changed as given. */
export function session(changes: Partial<SigningSession> = {}): SigningSession {
	return {
		token: 'tok-open',
		documentID: '65f1c0de0000000000000900',
		title: 'Mutual non-disclosure agreement',
		template: template('mutual_nda'),
		signatory: { name: 'Ana Pereira', email: 'ana@example.com' },
		others: [{ name: 'Łukasz Żółć', email: 'lukasz@example.com' }],
		country: 'Mexico',
		text: passagesOf(template('mutual_nda').body, { purpose: 'Trying it out' }),
		pdfPath: '/files/document.pdf',
		expired: false,
		expiresAt: Date.now() + 86_400_000,
		completed: false,
		...changes,
	};
}

/** A console with a row of each kind, changed as given. */
export function consoleView(changes: Partial<ConsoleView> = {}): ConsoleView {
	return {
		documents: [
			{
				documentID: '65f1c0de0000000000000900',
				title: 'Mutual non-disclosure agreement',
				status: 'PENDING',
				addedOn: AT,
				signatories: [
					{
						name: 'Ana Pereira',
						email: 'ana@example.com',
						signed: true,
						signingUrl: 'http://127.0.0.1:4000/sign/tok-signed',
					},
					{
						name: 'Łukasz Żółć',
						email: 'lukasz@example.com',
						signed: false,
						signingUrl: 'http://127.0.0.1:4000/sign/tok-open',
					},
				],
			},
		],
		identityRequests: [
			{
				validationId: 'v1',
				email: 'ana@example.com',
				status: 'CREATED',
				url: 'http://127.0.0.1:4000/identity/id-open',
			},
		],
		registrations: [
			{
				webHookID: 'w1',
				type: 'signDocument',
				webHookUrl: 'http://127.0.0.1:5678/webhook/abc',
				addedOn: AT,
			},
		],
		deliveries: [
			{
				id: 'd1',
				type: 'signDocument',
				subject: 'Mutual NDA',
				subjectId: '65f1c0de0000000000000900',
				url: 'http://127.0.0.1:5678/webhook/abc',
				at: AT,
				attempts: [
					{ at: AT, error: 'connection refused', durationMs: 3 },
					{ at: AT + 1000, status: 200, durationMs: 12 },
				],
				state: 'delivered',
			},
		],
		totals: {
			documents: 1,
			identityRequests: 1,
			registrations: 1,
			deliveries: 1,
			requests: 2,
			templates: 6,
		},
		faults: 0,
		requests: [
			{ at: AT, method: 'POST', path: '/access/token', status: 200 },
			{
				at: AT,
				method: 'POST',
				path: '/webhooks',
				status: 400,
				violation: 'type is not an event type',
			},
		],
		...changes,
	};
}

/** No tag, attribute or address of the hostile value may have become markup. */
export function expectHarmless(html: string): void {
	expect(html).toContain('&lt;script&gt;');
	expect(html).not.toContain('<script>');
	expect(html).not.toMatch(/<img/);
	expect(html).not.toMatch(/href="(javascript|data):/i);
}
