import { axios } from '../../support/http';
import * as own from '../support/exampleRuns';
import './migration';
import { rowsOf } from './table/scenarios';
import { type Contract, create, runSending } from './table/runSending';
import { decideOn, openDecisionPage, secret, senders } from './table/senders';

own.useExamples();
const { stage } = own;

afterEach(own.unpublish);

test.each(rowsOf())(
	'$file keeps its guarantees in the failure scenario "$scenario"',
	async ({ file, scenario, tag, expected }) => {
		const example = senders[file];
		if (!example) throw new Error(`senders.ts doesn't contain ${file}.`);
		await runSending(example, scenario, tag, expected);
	},
);

// These examples provide more guarantees than the table of failure scenarios shows.
const staff = 'people@example.com';
const person = (key: string): Contract => ({
	key,
	name: `Person ${key}`,
	email: `${key}@example.com`,
	start: '2027-01-01',
});
test('approval-before-sending requires a login to open or submit its form', async () => {
	await own.publish('approval-before-sending');
	const form = `${stage.n8n.url}/form/ask-for-a-contract`;
	expect((await axios.get(form)).status).toBe(401);
	expect((await axios.post(form, new FormData())).status).toBe(401);
});

test('approval-before-sending ignores email scanners, neutralizes forged lines in a name, and accepts only the first decision', async () => {
	const id = await own.publish('approval-before-sending');
	const count = own.documentCount();
	const odd = 'Zoë &lt;i>\\nEmail: a@example.com<br><b hidden>';
	const values = [`${odd}\n\u202Eend`, 'zoe@example.com', 'Cook', '2027-01-01', 'asks@example.com'];
	await own.fill('ask-for-a-contract', values);
	const mail = await own.mailTo('manager@example.com', 'Approval needed: contract for Zoë');
	await own.waitingExecution(id);
	for (const text of [mail.html, (await openDecisionPage(mail)).data]) {
		expect(text).not.toMatch(/<b hidden|<i>/);
		const shown = text
			.replaceAll(/<[^>]*>/g, '')
			.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
		const lines = shown.split(/\n\s*/);
		expect(lines.filter((line) => line.startsWith('Email: '))).toEqual(['Email: zoe@example.com']);
		expect(lines).toContain(`Employee name: ${odd} end`);
	}
	await decideOn(mail, 'Decline');
	await own.mailTo('asks@example.com', 'Declined: contract for ');
	await decideOn(mail, 'Send the contract');
	await stage.sandbox.idle();
	expect(own.documentCount()).toBe(count);
});

const gone = {
	status: 404,
	body: { success: false, responseCode: 404, message: 'Not here: http://10.0.0.1/templates' },
};
const later = 'Nothing was sent. Send the same request again later.';
test.each([
	['a missing key', 422, 'Send Once Key', { key: undefined }, undefined],
	['a name that the service rejects', 422, '1 to 100', { name: 'A'.repeat(101) }, undefined],
	['a template that no longer exists', 503, later, {}, { endpoint: create, response: gone }],
])(
	'request-over-http responds to %s with status %i and the reason',
	async (what, status, reason, change, fault) => {
		await senders['request-over-http']?.publish(false);
		const count = own.documentCount();
		if (fault) stage.sandbox.faults.set(fault);
		const response = await axios.post<{ reason: string }>(
			`${stage.n8n.url}/webhook/contracts`,
			{ ...person('over-http'), key: what, role: 'Cook', ...change },
			{ headers: { 'x-secret': secret } },
		);
		expect(response.status).toBe(status);
		expect(response.data.reason).toContain(reason);
		expect(own.documentCount()).toBe(count);
		if (status === 503) await own.mailTo(staff, `Not sent: contract ${what}`);
	},
);
