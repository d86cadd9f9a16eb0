import type { EventType } from '../../../../sandbox/schemas';
import type { MailView } from '../../../../sandbox/types';
import type { EventBody, Person } from '../../support/exampleRuns';
import { until } from '../../../support/until';
import { own, saying } from '../runStage';
import type { Day, Outcome } from './days';

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
	publish(): Promise<string>;
	/** Writes the rows of documents into a table, as another example does. */
	remember?(subjects: Subject[]): Promise<void>;
	/** Whether only what the time starts sends mails. */
	isTimed?: true;
	/** What the time starts, after the events. */
	look?(workflow: string, times: number): Promise<unknown>;
	/** What it has said, as letters of `days.ts`. @param mails Since it began, oldest first. */
	told(subjects: Subject[], mails: MailView[], workflow: string): string[] | Promise<string[]>;
}

const { stage } = own;

/** One bad day of one example, and what holds on every day. */
export async function runFollowing(example: Following, day: Day, tag: string, expected: Outcome) {
	const happening = happeningOn(day, tag, example);
	const { documents, signs, change, mailDown, killed, looks = 1 } = happening;
	const subjects: Subject[] = [];
	for (const [index, people] of documents.entries()) {
		const title = `${tag}-${index + 1}`;
		subjects.push(await makeDocument(people, title, signs));
	}
	await stage.sandbox.idle();
	for (const subject of subjects)
		subject.bodies = example.events.flatMap((type) => own.events(type, subject.id));
	if (happening.unknown) own.office.unknown.add(happening.unknown);
	if (!happening.isEarly && !happening.isForeign) await example.remember?.(subjects);

	const mails = own.newMails();
	const workflow = await example.publish();
	const told = async () => await example.told(subjects, mails(), workflow);
	own.office.down = mailDown ?? false;
	own.office.silent = killed ?? false;
	const offered = own.office.offered;
	let executions = 0;
	const steps = change(subjects);
	for (const [index, step] of steps.entries()) {
		// Only after a restart, the trigger knows nothing of what came before.
		if (index > 0) await own.restart();
		await own.deliver(...step);
		// The same event with the same time starts nothing.
		executions += new Set(step.map((body) => JSON.stringify(body))).size;
		if (example.isTimed || !killed) await own.over(workflow, Math.min(executions, 100));
	}
	if (happening.isEarly) await example.remember?.(subjects);
	if (!killed) await example.look?.(workflow, looks);
	else {
		if (example.isTimed) void example.look?.(workflow, 1).catch(() => undefined);
		await until('n8n talks to the mail server', () => own.office.offered > offered);
		await own.restart();
	}
	own.office.down = false;
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
		if (/^Contract .* is signed/.test(subject))
			expect([subject, document?.status]).toEqual([subject, 'COMPLETED']);
		const signed = document?.signatory.filter(({ isSigned }) => isSigned) ?? [];
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

/** What happens to an example that events start, or the time. */
export interface Happening {
	/** The signatories of each document. */
	documents: Person[][];
	/** Who of them signs. */
	signs(index: number): boolean;
	/** The events, in steps: those of a step come at once, and a step when the one before is over. */
	change(subjects: Subject[]): EventBody[][];
	mailDown?: true;
	killed?: true;
	/** An address that does not exist. */
	unknown?: string;
	/** The event comes before the row of its document, or there is none. */
	isEarly?: true;
	isForeign?: true;
	/** How often the time starts it at the same moment. */
	looks?: number;
}

const all = (subjects: Subject[]) => subjects.flatMap(({ bodies }) => bodies);
const copyOf = (body: EventBody, change: (copy: EventBody) => void): EventBody => {
	const copy = structuredClone(body);
	change(copy);
	return copy;
};
const atAnotherTime = (body: EventBody) =>
	copyOf(body, (copy) => (copy.addedOn = Number(copy.addedOn) - 60_000));
const withoutPeople = (body: EventBody) =>
	copyOf(body, ({ Document }) => {
		// Nor does it name the template.
		Object.assign(Document, { signatory: [], templateID: '' });
		Object.assign(Document.webhookData?.signatory ?? {}, { emailID: '' });
	});
function withOneAddress({ Document: { signatory, webhookData } }: EventBody): void {
	const [first, ...others] = [...signatory, webhookData?.signatory ?? {}];
	for (const person of others) person.emailID = ` ${String(first?.emailID).toUpperCase()} `;
}
const withoutLinks = (body: EventBody) =>
	JSON.parse(JSON.stringify(body).replaceAll('/certificate.pdf?', '/none.pdf?')) as EventBody;

/**
 * @param tag Stands in every name and address, so that nothing is mixed up with another day.
 */
export function happeningOn(day: Day, tag: string, example: Following): Happening {
	const person = (number: number, name = `Person ${tag} ${number}`): Person => ({
		email: `${tag}-${number}@example.com`,
		name,
	});
	const size = example.signatories;
	const people = (count: number, name?: string) =>
		Array.from({ length: count }, (_, index) => person(index + 1, name && `${name} ${index + 1}`));
	/** Two people, in as many documents as that takes. */
	const documentsOf = (everybody: Person[]) =>
		Array.from({ length: Math.ceil(everybody.length / size) }, (_, index) =>
			everybody.slice(index * size, (index + 1) * size),
		);
	const two: Happening = {
		documents: documentsOf(people(2)),
		// The last one never signs, where that matters.
		signs: (index) => example.isSigned ?? index === 0,
		change: (subjects) => [all(subjects)],
	};
	const named = (name: string) => ({ ...two, documents: documentsOf(people(2, name)) });
	const days: Partial<Record<Day, () => Happening>> = {
		// The service takes each address once in a document, but its events may say something else.
		'double person': () => ({
			...two,
			documents:
				size > 1 ? two.documents : [[person(1)], [{ ...person(2), email: person(1).email }]],
			signs: () => size === 1 && example.isSigned === true,
			change: (subjects) => [all(subjects).map((body) => copyOf(body, withOneAddress))],
		}),
		markup: () => named(`<b hidden>Zoë & ${tag}</b>`),
		'{{ }}': () => named(`Zoë "Zed" O'Brien {{ 1 + 1 }} ${tag}`),
		'wrong address': () => ({
			...two,
			signs: () => example.isSigned ?? false,
			unknown: person(1).email,
		}),
		'0 rows': () => ({ ...two, documents: [], change: () => [] }),
		// Each event once: a service may send one for each signatory.
		'300 rows': () => ({
			...two,
			documents: documentsOf(people(300)),
			change: (subjects) => [
				subjects.flatMap(({ bodies }) =>
					bodies.filter(({ type }, at) => bodies.findIndex((body) => body.type === type) === at),
				),
			],
		}),
		'mail down': () => ({ ...two, mailDown: true }),
		killed: () => ({ ...two, killed: true }),
		'two at once': () => ({ ...two, documents: documentsOf(people(4)), looks: 2 }),
		'event twice': () => ({
			...two,
			change: (subjects) => [[...all(subjects), ...all(subjects)], all(subjects)],
		}),
		'with a new time': () => ({
			...two,
			change: (subjects) => [all(subjects), all(subjects).map(atAnotherTime)],
		}),
		// Before its row is there, or in the wrong order.
		early: () => ({
			...two,
			isEarly: true,
			change: (subjects) =>
				example.isTimed
					? all(subjects)
							.map((body) => [body])
							.reverse()
					: [all(subjects)],
		}),
		'of another document': () => ({ ...two, isForeign: true }),
		'without e-mails': () => ({ ...two, change: (subjects) => [all(subjects).map(withoutPeople)] }),
		'without links': () => ({ ...two, change: (subjects) => [all(subjects).map(withoutLinks)] }),
		'never signs': () => ({ ...two, signs: () => false }),
	};
	const found = days[day];
	if (!found) throw new Error(`Nothing happens on a day of "${day}".`);
	return found();
}
