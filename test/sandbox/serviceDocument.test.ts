import { createHash } from 'node:crypto';
import axios from 'axios';
import type { Document } from '../../sandbox/schemas';
import {
	create,
	PEOPLE,
	POSITION,
	receiver,
	register,
	signedIn,
	start,
	stopAll,
} from './serviceKit';

afterEach(stopAll);

/** Fetches a file from an address as a browser would, without any header. */
const download = (url = '') =>
	axios.get<Buffer>(url, { responseType: 'arraybuffer', proxy: false, validateStatus: () => true });

/** The signatory of a signDocument notification. */
function signerOf(document?: Document) {
	const signatory = document?.webhookData?.signatory;
	return signatory && 'isSigned' in signatory ? signatory : undefined;
}

test('a document of three signatories lives from creation to completion', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'sendDocument', 'signDocument', 'completedDocument');

	const created = await create(sandbox, http);
	expect(created.status).toBe(200);
	const { documentID } = created.data.responseData;

	await sandbox.idle();
	const mails = sandbox.mails();
	expect(mails.flatMap(({ to }) => to).sort()).toEqual(PEOPLE.map(({ email }) => email));
	for (const { signing, emailID } of sandbox.documents()[0]?.signatory ?? []) {
		const mail = mails.find(({ to }) => to.includes(emailID));
		expect(mail?.subject).toMatch(/^Please sign: .+ – Ana Torres$/);
		// In both forms of the mail, each line and each sentence begins with a capital letter.
		for (const text of [mail?.text, mail?.html.replace(/<[^>]*>/g, '')]) {
			expect(text).toMatch(/^Example Company Ltd asks you to sign the document /m);
			expect(text).not.toMatch(/(?:^|[.!?] )\p{Ll}(?!\w*:\/\/)/mu);
		}
		expect(mail?.text).toContain(signing.url);
		expect(mail?.html).toContain(signing.url);
	}

	for (const { email } of PEOPLE) await sandbox.sign(documentID, email);
	await sandbox.idle();
	const bodies = hook.got.map(({ body }) => body);
	expect(bodies.map(({ type }) => type)).toEqual([
		...Array<string>(3).fill('sendDocument'),
		...Array<string>(3).fill('signDocument'),
		'completedDocument',
	]);
	// One event has one time: in the log, the resource and the notification.
	const times = (type: string) =>
		bodies.filter((body) => body.type === type).map(({ addedOn }) => addedOn);
	const logged = (type: string) =>
		(bodies.at(-1)?.Document.logsStatus ?? [])
			.filter(({ operationType }) => operationType === type)
			.map(({ addedOn }) => addedOn);
	expect(times('signDocument')).toEqual(logged('SIGNED'));
	expect(times('sendDocument')).toEqual(logged('SENT_FOR_SIGNATURE'));
	expect(times('completedDocument')).toEqual(logged('SIGNED').slice(-1));

	const [send, , , sign1, sign2, sign3, completed] = bodies.map(({ Document }) => Document);
	expect([sign1, sign2, sign3].map((one) => signerOf(one)?.emailID)).toEqual(
		PEOPLE.map(({ email }) => email),
	);
	expect(signerOf(sign1)?.isSigned).toBe(1);
	expect(
		[send, sign1, sign2, sign3, completed].map((one) => one?.computedFields.pendingSignatoryCount),
	).toEqual([3, 2, 1, 0, 0]);
	expect(sign3?.status).toBe('PENDING');
	expect(completed?.logsStatus.map(({ operationType }) => operationType)).toEqual([
		'CREATED',
		...Array<string>(3).fill('SENT_FOR_SIGNATURE'),
		...Array<string>(3).fill('SIGNED'),
		'STORED_IN_PSC_SANDBOX',
		'STORED_BLOCKCHAIN',
	]);

	const file = await download(completed?.documentURL);
	expect(file.headers['content-type']).toBe('application/pdf');
	expect(file.headers['content-disposition']).toContain('filename=');
	expect(createHash('sha256').update(file.data).digest('hex')).toBe(completed?.documentHash);
	for (const url of [completed?.certificateURL, completed?.pscCertificateURL]) {
		const { data } = await download(url);
		expect(data.subarray(0, 5).toString()).toBe('%PDF-');
	}
});

test('positions that are wrong, or of somebody who does not sign, are refused', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const position = { ...POSITION, user: { email: 'ben@example.com' } };
	for (const broken of [
		[{ ...position, page: '1' }],
		[position, { ...position, imageSize: { width: 1 } }],
		[{ ...position, user: { email: 'nobody@example.com' } }],
		'none',
	]) {
		const refused = await create(sandbox, http, 'v1', { staticSignPositions: broken });
		expect(refused.status).toBe(400);
		expect(sandbox.requests.at(-1)?.violation).toContain('staticSignPositions');
	}
	expect((await create(sandbox, http, 'v1', { staticSignPositions: [] })).status).toBe(200);
});

test('the last signature given twice at once completes the document once', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'completedDocument', 'signDocument');
	const people = PEOPLE.slice(0, 1);
	const { documentID } = (await create(sandbox, http, 'v2', { signatories: people })).data
		.responseData;
	const results = await Promise.allSettled(
		[1, 2, 3].map(() => sandbox.sign(documentID, 'ana@example.com')),
	);
	expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
	await sandbox.idle();
	expect(hook.got.map(({ body }) => body.type)).toEqual(['signDocument', 'completedDocument']);
});

test('hostile values stay text in mails', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const name = '<img src=x onerror=alert(1)>';
	await create(sandbox, http, 'v2', { signatories: [{ email: 'x@example.com', name }] });
	await sandbox.idle();
	const mail = sandbox.mails()[0];
	expect(mail?.html).not.toContain('<img');
	expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
	expect(mail?.text).toContain(name);
});
