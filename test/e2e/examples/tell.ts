import type { EventBody } from '../support/exampleRuns';
import { own } from './runStage';

// examples/tell-about-each-signature.json, with what people, mail servers and n8n really do.
const { stage, subjects } = own;
const office = 'people@example.com';
const gone = 'gone@example.com';

/** Who signs: names that could break an expression, a header or a list. */
const [zoe, bob, chloe] = [
	{ email: 'Zoe.Zed@example.com', name: `Zoë "Zed" O'Brien, Jr. {{ 1 + 1 }}` },
	{ email: 'bob@example.com', name: '<b>Bob & Sons</b>' },
	{ email: 'chloe@example.com', name: '王小明 $json.title' },
] as const;
const people = [zoe, bob, chloe];

/** Stores the example for a list of addresses, and publishes it. */
const publish = async (to: string[]) =>
	await own.publish('tell-about-each-signature', (node) => {
		const { assignments } = node('What to tell').parameters.assignments as {
			assignments: Array<{ name: string; value: string }>;
		};
		const field = assignments.find(({ name }) => name === 'to') ?? { value: '' };
		expect(JSON.parse(field.value)).toContain(office);
		field.value = JSON.stringify(to);
		// The report is tried again, with pauses: not so long here.
		expect(node('Report a failed e-mail').retryOnFail).toBe(true);
		Object.assign(node('Report a failed e-mail'), { maxTries: 2, waitBetweenTries: 100 });
	});
const signAll = async (document: string) =>
	await Promise.all(people.map(async ({ email }) => await stage.sandbox.sign(document, email)));
const lastText = (address: string) => own.mails(address).at(-1)?.text;
const allSucceeded = async (id: string, count: number) => {
	for (const { status } of await own.over(id, count)) expect(status).toBe('success');
};

describe('tell-about-each-signature', () => {
	afterEach(own.unpublish);
	test('three sign at the same moment, one address does not exist: each other is told all', async () => {
		const before = subjects(office).length;
		own.office.unknown.add(gone);
		const id = await publish([office, gone, 'sales@example.com']);
		const document = await own.send(people);
		await signAll(document);
		await allSucceeded(id, 4);
		const title = stage.sandbox.documents().find((each) => each.documentID === document)?.title;
		const all = [
			...people.map(({ name }) => `${name} signed: ${title}`),
			`Signed by everybody: ${title}`,
		];
		expect(subjects('sales@example.com').sort()).toEqual([...all].sort());
		const reports = all.map(() => `Not sent: ${title}`);
		expect(subjects(office).slice(before).sort()).toEqual([...all, ...reports].sort());
		for (const { subject, text } of own.mails(office)) {
			if (!subject.startsWith('Not sent')) continue;
			expect(text).toContain(`${gone}: `);
			expect(text).toContain('550 No such user here');
			expect(text).toContain(document);
		}
		const whole = own.mails('sales@example.com').find(({ subject }) => subject === all[3]);
		expect(whole?.text).toMatch(/https?:\S+document\.pdf/);
	});

	test('a late event and an empty one say nothing untrue', async () => {
		const id = await publish(['late@example.com']);
		const document = await own.send(people);
		await signAll(document);
		await allSucceeded(id, 4);
		// Of another document: reported after all have signed, by a list from before the signature.
		const [late] = own.events('signDocument', document) as [EventBody];
		late.Document.documentID = 'late-one';
		late.addedOn = Date.UTC(2026, 2, 1, 12, 30, 5);
		for (const each of late.Document.signatory) each.isSigned = 0;
		late.Document.webhookData.signatory.emailID = zoe.email.toUpperCase();
		await own.deliver(late);
		await allSucceeded(id, 5);
		expect(lastText('late@example.com')).toMatch(
			/The service reported on 1 March 2026, \d+:\d+:05 /,
		);
		expect(lastText('late@example.com')).toContain(
			`Signed: ${zoe.name}\nStill missing: 2 ${bob.email}, ${chloe.email}\n`,
		);
		// Two people without an address are two people.
		const [first, second] = people.map(({ name }, index) => {
			const body = structuredClone(late);
			body.Document.signatory.forEach((each) => Object.assign(each, { emailID: '' }));
			Object.assign(body.Document.webhookData.signatory, {
				emailID: '',
				signatoryID: '',
				_id: '',
				name,
			});
			return { ...body, addedOn: Number(body.addedOn) + index };
		});
		await own.deliver(first as EventBody, second as EventBody);
		await allSucceeded(id, 7);
		expect(lastText('late@example.com')).toContain('Signed: not reported\nStill missing: 3\n');
		const empty = { type: 'signDocument', addedOn: null, Document: { documentID: document } };
		await own.deliver(empty as EventBody);
		await allSucceeded(id, 8);
		expect(subjects('late@example.com').at(-1)).toBe(`Somebody signed: document ${document}`);
		expect(lastText('late@example.com')).toContain(
			'The service reported on a date that it did not say:\nSigned: not reported\nStill missing: not reported\n',
		);
	});

	test('n8n crashes while it sends: the Retry sends the e-mail, a repeat sends none', async () => {
		const id = await publish(['crash@example.com']);
		const document = await own.send(people);
		await own.crash(async () => await stage.sandbox.sign(document, bob.email));
		const [crashed] = await own.over(id, 1);
		expect(crashed?.status).toBe('crashed');
		const retried = await own.retry(crashed?.id ?? '');
		expect(retried.status).toBe('success');
		await own.repeat(id, 'signDocument', document);
		await own.over(id, 3);
		expect(subjects('crash@example.com')).toEqual([
			expect.stringContaining(`${bob.name} signed: `),
		]);
	});
});
