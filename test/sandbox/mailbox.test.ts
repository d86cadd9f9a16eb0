import nodemailer from 'nodemailer';
import { start, stopAll } from './serviceKit';

afterEach(stopAll);

/** What the mailbox makes of a mail as a program wrote it. */
async function received(raw: string) {
	const sandbox = await start();
	const transport = nodemailer.createTransport({ ...sandbox.smtp, secure: false });
	const envelope = { from: 'printer@example.com', to: ['ana@example.com'] };
	await transport.sendMail({ envelope, raw });
	transport.close();
	const [mail] = sandbox.mails();
	return { subject: mail?.subject, from: mail?.from, text: mail?.text.trim() };
}

const HEAD = 'Subject: Toner\r\nFrom: printer@example.com\r\n';
const from = 'printer@example.com';

test('a mail as it should be', async () => {
	expect(await received(`${HEAD}\r\nIt is empty.\r\n`)).toEqual({
		subject: 'Toner',
		from,
		text: 'It is empty.',
	});
});

test('without the blank line, the text begins at the first line that is no header', async () => {
	expect(await received(`${HEAD}It is empty.\r\n\r\nNote: order more`)).toEqual({
		subject: 'Toner',
		from,
		text: 'It is empty.\n\nNote: order more',
	});
});

test('text alone is text', async () => {
	expect(await received('It is empty.\r\nOrder more.')).toEqual({
		subject: '',
		from: '',
		text: 'It is empty.\nOrder more.',
	});
});

test('where every line could be a header, the whole mail is shown as text', async () => {
	expect(await received('Subject: Toner\r\nState: empty')).toMatchObject({
		subject: 'Toner',
		text: 'Subject: Toner\nState: empty',
	});
});

test('a header over several lines is one header', async () => {
	expect(await received('Subject: Toner\r\n and paper\r\n\r\nBoth are empty.')).toMatchObject({
		subject: 'Toner and paper',
		text: 'Both are empty.',
	});
});
