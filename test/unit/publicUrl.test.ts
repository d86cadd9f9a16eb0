import { checkPublicUrl, publicUrlProblems } from '../../nodes/SignVerify/registrations/publicUrl';
import { failureOf } from '../support/service';
import { setUpService } from '../support/registrations';

/** The names of n8n's endpoints, which users can change. */
const usual = {
	webhookWaiting: 'webhook-waiting',
	webhook: 'webhook',
	webhookTest: 'webhook-test',
	formWaiting: 'form-waiting',
	form: 'form',
	formTest: 'form-test',
	mcp: 'mcp',
	mcpTest: 'mcp-test',
	rest: 'rest',
};

/**
 * The context of a node in an n8n instance. n8n adds a slash to a public URL that doesn't end in one, and puts
 * the URL before the names of its endpoints (`UrlService` and `getBase` in n8n 2.41.1).
 */
function n8nAt(
	url: string,
	{ names = {}, testUrl = url }: { names?: Partial<typeof usual>; testUrl?: string } = {},
) {
	const all = { ...usual, ...names };
	const base = url.endsWith('/') ? url : `${url}/`;
	const testBase = testUrl.endsWith('/') ? testUrl : `${testUrl}/`;
	return {
		additionalData: {
			...Object.fromEntries(
				Object.entries(all).map(([endpoint, name]) => {
					const isOfTests = endpoint.endsWith('Test');
					return [`${endpoint}BaseUrl`, `${isOfTests ? testBase : base}${name}`];
				}),
			),
			restApiUrl: base + all.rest,
		},
	};
}

const set = (right: string) => publicUrlProblems.withEmptyPart({ shown: '', right }).remedy;

describe("n8n's public URL", () => {
	const n8n = 'https://n8n.example.com';

	test.each([
		[n8n, {}],
		[`${n8n}/`, {}],
		['http://n8n:5678/', {}],
		[`${n8n}:8443/company/n8n`, {}],
		[`${n8n}/company/n8n/`, {}],
		[`${n8n}/webhooks/`, {}],
		[`${n8n}/my-webhook/`, {}],
		[`${n8n}/webhook/n8n/`, {}],
		// These names are only those of endpoints that the instance doesn't have.
		[`${n8n}/webhook/`, { webhook: 'hooks', webhookWaiting: 'waits', webhookTest: 'tests' }],
		// n8n receives calls at endpoints whose names begin or end with a slash.
		[n8n, { webhook: '/hooks', webhookWaiting: 'waits/' }],
		[n8n, { webhook: '' }],
		[`${n8n}/hooks/`, { webhook: 'api/hooks', webhookWaiting: 'api/waits' }],
	])('%s is accepted with the endpoints %j', (url, names) => {
		expect(checkPublicUrl(n8nAt(url, { names }))).toBeUndefined();
		expect(checkPublicUrl(n8nAt(url, { names }), true)).toBeUndefined();
	});

	test('is not checked if n8n does not provide the addresses of its endpoints', () => {
		const { additionalData } = n8nAt(`${n8n}//`);
		for (const context of [{}, { additionalData: {} }]) {
			expect(checkPublicUrl(context)).toBeUndefined();
			expect(checkPublicUrl(context, true)).toBeUndefined();
		}
		const older = { ...(additionalData as Record<string, string>) };
		delete older.webhookTestBaseUrl;
		expect(checkPublicUrl({ additionalData: older }, true)).toBeUndefined();
		expect(checkPublicUrl({ additionalData: older })).toMatchObject({ severity: 'wrong' });
	});

	const empty = (shown: string) => publicUrlProblems.withEmptyPart({ shown, right: '' }).problem;
	const noScheme = publicUrlProblems.noUrl.problem;
	const query = publicUrlProblems.withQuery({ shown: `${n8n}/`, right: '' }).problem;
	test.each([
		[`${n8n}//`, empty(`${n8n}//`), `${n8n}/`],
		[`${n8n}///`, empty(`${n8n}///`), `${n8n}/`],
		[`${n8n}//n8n/`, empty(`${n8n}//n8n/`), `${n8n}/n8n/`],
		[`${n8n}/company//n8n`, empty(`${n8n}/company//n8n/`), `${n8n}/company/n8n/`],
		[`${n8n}/n8n//`, empty(`${n8n}/n8n//`), `${n8n}/n8n/`],
		// Spaces and line breaks from a file with variables.
		[`${n8n}/ `, empty(`${n8n}/%20/`), `${n8n}/`],
		[`${n8n}/\r`, empty(`${n8n}//`), `${n8n}/`],
		[`${n8n}/\u200b/`, empty(`${n8n}/%E2%80%8B/`), `${n8n}/`],
		[`${n8n}\\`, empty(`${n8n}//`), `${n8n}/`],
		[`${n8n}/?a=b`, query, `${n8n}/`],
		[`${n8n}/#/`, query, `${n8n}/`],
		['n8n.example.com', noScheme, undefined],
		['"https://n8n.example.com/"', noScheme, undefined],
		['https://', noScheme, undefined],
		['ftp://n8n.example.com/', noScheme, undefined],
	])('%j is refused, because no call can reach an endpoint', (url, problem, right) => {
		const remedy = right === undefined ? publicUrlProblems.noUrl.remedy : set(right);
		const finding = { severity: 'wrong', problem, remedy };
		expect(checkPublicUrl(n8nAt(url))).toEqual(finding);
		expect(checkPublicUrl(n8nAt(url), true)).toEqual(finding);
		expect(checkPublicUrl(n8nAt(url, { names: { webhook: 'hooks' } }))).toEqual(finding);
		const other = n8nAt(url, { testUrl: n8n });
		expect([checkPublicUrl(other), checkPublicUrl(other, true)]).toEqual([finding, undefined]);
	});

	test.each([
		[`${n8n}/webhook`, {}, 'webhook', `${n8n}/`],
		[`${n8n}/webhook/`, {}, 'webhook', `${n8n}/`],
		[`${n8n}/n8n/webhook/`, {}, 'webhook', `${n8n}/n8n/`],
		[`${n8n}/webhook-waiting/`, {}, 'webhook-waiting', `${n8n}/`],
		[`${n8n}/webhook-test/`, {}, 'webhook-test', `${n8n}/`],
		[`${n8n}/hooks/`, { webhook: 'hooks' }, 'hooks', `${n8n}/`],
		[`${n8n}/waits/`, { webhookWaiting: 'waits' }, 'waits', `${n8n}/`],
		[`${n8n}/n8n/api/hooks/`, { webhook: 'api/hooks' }, 'api/hooks', `${n8n}/n8n/`],
	])('%s causes a warning with the endpoints %j', (url, names, name, right) => {
		const shown = url.replace(/\/?$/, '/');
		const finding = {
			severity: 'warning',
			...publicUrlProblems.withEndpoint({ shown, right, name }),
		};
		expect(checkPublicUrl(n8nAt(url, { names }))).toEqual(finding);
		expect(checkPublicUrl(n8nAt(url, { names }), true)).toEqual(finding);
	});
});

describe('A trigger', () => {
	const at = 'https://n8n.example.com//webhook/abc/signverify';
	const shown = 'https://n8n.example.com//';
	const row = publicUrlProblems.withEmptyPart({ shown, right: 'https://n8n.example.com/' });
	const problem = `n8n's public URL: ${row.problem}`;
	const { remedy } = row;

	test.each(['trigger', 'manual'])(
		"is not published in the mode %j if n8n's public URL has an empty part",
		async (mode) => {
			const { trigger, log } = setUpService();
			const error = await failureOf(trigger(['signDocument'], { at, mode }).create());
			const shown = `${problem}. ${remedy} Nothing was registered.`;
			// Only when a workflow is published, the editor shows nothing but the message.
			expect(
				mode === 'manual' ? `${error.message}. ${error.description}` : error.message,
			).toContain(shown);
			expect(log).toEqual([]);
		},
	);

	test.each(['init', 'leadershipChange'] as const)(
		'is not stopped after a restart (%s), and the log contains the reason',
		async (activation) => {
			const { trigger, registered, warnings } = setUpService();
			await trigger(['signDocument'], { at, activation }).create();
			expect(registered()).toHaveLength(1);
			expect(warnings).toEqual([`SignVerify Trigger: ${problem}. ${remedy}`]);
		},
	);

	test("is published with a warning in the log if n8n's public URL ends with an endpoint's name", async () => {
		const { trigger, registered, warnings } = setUpService();
		const url = 'https://n8n.example.com/webhook/webhook/abc/signverify';
		await trigger(['signDocument'], { at: url }).create();
		expect(registered()).toHaveLength(1);
		const right = 'https://n8n.example.com/';
		const facts = { shown: `${right}webhook/`, right, name: 'webhook' };
		const ending = publicUrlProblems.withEndpoint(facts);
		expect(warnings).toEqual([
			`SignVerify Trigger: n8n's public URL: ${ending.problem}. ${ending.remedy}`,
		]);
	});
});
