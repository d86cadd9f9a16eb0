import type { EventType } from '../../../../sandbox/schemas';
import type { MailView } from '../../../../sandbox/types';
import type { EventBody, Person } from '../../support/exampleRuns';
import { until } from '../../../support/until';
import { own, saying } from '../runStage';
import type { Day, Outcome } from './days';
import { happeningOn } from './happening';

/** A document that people were sent, with all that the service reported about it. */
export interface Subject {
	id: string;
	/** Also the contract number in a row. */
	title: string;
	people: Person[];
	bodies: EventBody[];
}

/** How one example that events start, or the time, is used, and where it says what happened. */
export interface Following {
	events: EventType[];
	/** How many sign one document, at most. */
	signatories: number;
	/** Whether everybody has signed, or nobody. Default: the first of them. */
	isSigned?: boolean;
	/** Who gets its mails. Default: the signatories. */
	recipient?: string;
	publish(): Promise<string>;
	/** Makes what an event is about. Default: a document, which people sign. */
	make?(people: Person[], title: string, signs: (index: number) => boolean): Promise<Subject>;
	/** Writes the rows of documents into a table, as another example does. */
	remember?(subjects: Subject[]): Promise<void>;
	/** Whether only what the time starts sends mails. */
	isTimed?: true;
	/**
	 * Whether events that are repeated came one by one. n8n's Remove Duplicates keeps all that it knows in
	 * one row of its database: of two events at the same moment, it can forget one.
	 */
	oneByOne?: true;
	/** Whether it waits itself for the row of a document. */
	waitsForRow?: true;
	/** What the time starts, after the events. */
	look?(workflow: string, times: number): Promise<unknown>;
	/** What it has said, as letters of `days.ts`. @param mails Since it began, oldest first. */
	told(subjects: Subject[], mails: MailView[], workflow: string): string[] | Promise<string[]>;
	/** What else fails or works again when mails do. */
	down?(isDown: boolean): Promise<void>;
	/** Happens while n8n works on it, when it can be killed. Default: it talks to the mail server. */
	isBusy?(workflow: string): Promise<boolean>;
}

const { stage } = own;

/** One bad day of one example, and what holds on every day. */
export async function runFollowing(example: Following, day: Day, tag: string, expected: Outcome) {
	const happening = happeningOn(day, tag, example);
	const { documents, signs, change, fault, mailDown, killed, looks = 1 } = happening;
	const subjects: Subject[] = [];
	for (const [index, people] of documents.entries()) {
		const title = `${tag}-${index + 1}`;
		subjects.push(await (example.make ?? makeDocument)(people, title, signs));
	}
	await stage.sandbox.idle();
	for (const each of subjects)
		each.bodies = example.events.flatMap((type) => own.events(type, each.id));
	if (happening.unknown) own.office.unknown.add(happening.unknown);
	if (fault) stage.sandbox.faults.set(fault);
	if (!happening.isEarly && !happening.isForeign) await example.remember?.(subjects);

	const mails = own.newMails();
	const workflow = await example.publish();
	const told = async () => await example.told(subjects, mails(), workflow);
	own.office.down = mailDown ?? false;
	if (mailDown) await example.down?.(true);
	own.office.silent = Boolean(killed && !example.isBusy);
	const offered = own.office.offered;
	let executions = 0;
	const steps = change(subjects);
	for (const [index, step] of steps.entries()) {
		// Only after a restart, the trigger knows nothing of what came before.
		if (index > 0) await own.restart();
		await own.deliver(...step);
		// The same event with the same time starts nothing.
		executions += new Set(step.map((body) => JSON.stringify(body))).size;
		const isAwaited = !killed && !(happening.isEarly && example.waitsForRow);
		if (example.isTimed || isAwaited) await own.over(workflow, Math.min(executions, 100));
	}
	if (happening.isEarly) await example.remember?.(subjects);
	if (!killed) await example.look?.(workflow, looks);
	else {
		if (example.isTimed) void example.look?.(workflow, 1).catch(() => undefined);
		await until('n8n is at work', async () =>
			example.isBusy ? await example.isBusy(workflow) : own.office.offered > offered,
		);
		await own.restart();
	}
	own.office.down = false;
	if (mailDown) await example.down?.(false);
	stage.sandbox.faults.clear();
	if (killed || mailDown) {
		// After a crash, n8n knows only after a moment which executions were running.
		for (const { id, status, mode } of await own.over(workflow, Math.min(executions, 100)))
			if (/error|crashed/.test(status) && mode !== 'manual') await own.retry(id);
		// The next hour, in which what failed is due again.
		if (example.isTimed) await new Promise((resolve) => setTimeout(resolve, 4_000));
		await example.look?.(workflow, looks);
	}
	const outcome = expected as string | RegExp;
	await saying(outcome, told);
	// What comes late would be more than was expected.
	await own.over(workflow, 0);
	await saying(outcome, told);
	await own.unpublish();
	expectTrue(subjects, mails(), steps.flat());
}

/** Nobody is told something twice, or something untrue: as the service really has it. */
function expectTrue(subjects: Subject[], mails: MailView[], delivered: EventBody[]) {
	const sent = mails.filter(({ from }) => from.includes('people@example.com'));
	const documents = stage.sandbox.documents();
	const toPeople = sent.filter(({ to }) => !to.includes('people@example.com'));
	const heads = toPeople.map(({ to, subject }) => `${to.join()}: ${subject}`);
	expect(heads.filter((head, index) => heads.indexOf(head) !== index)).toEqual([]);
	for (const { subject, text, to } of sent) {
		const contract = /^Contract (\S+) is signed/.exec(subject)?.[1];
		const id = subjects.find(({ title }) => title === contract)?.id;
		const document = documents.find(({ documentID, title }) =>
			contract ? documentID === id : title !== '' && subject.endsWith(title),
		);
		if (/^(?:Signed: |Your copy: |Signed by everybody: |Contract .* is signed)/.test(subject))
			expect([subject, document?.status]).toEqual([subject, 'COMPLETED']);
		const signed = document?.signatory.filter(({ isSigned }) => isSigned) ?? [];
		const who = / signed: /.test(subject) ? subject.split(' signed: ')[0] : undefined;
		if (who && who !== 'Somebody')
			expect([who, signed.some(({ name }) => name === who)]).toEqual([who, true]);
		const named = /^Signed: (.*)$/m.exec(text.replaceAll('\r', ''))?.[1] ?? 'not reported';
		if (named !== 'not reported')
			expect(signed.map(({ name }) => name).join(', ')).toContain(named);
		if (!subject.startsWith('Not signed yet: ')) continue;
		expect(signed.filter(({ emailID }) => to.includes(emailID))).toEqual([]);
		// Others can be due again from the days before.
		if (subjects.some((each) => each.id === document?.documentID))
			expect(linkedIn(text, delivered)).toEqual(to);
	}
}

/** Whose links to sign stand in a text: the addresses that the events name. */
function linkedIn(text: string, bodies: EventBody[]): string[] {
	const entries = bodies.flatMap(({ Document }) => Document.signatory);
	const linked = entries.filter(({ signing }) => text.includes((signing as { url: string }).url));
	return [...new Set(linked.map(({ emailID }) => String(emailID).trim().toLowerCase()))];
}

/** Sends a document to people, some of whom sign it. */
async function makeDocument(people: Person[], title: string, signs: (index: number) => boolean) {
	const id = await own.send(people, title);
	for (const [index, { email }] of people.entries())
		if (signs(index)) await stage.sandbox.sign(id, email);
	return { id, title, people, bodies: [] };
}
