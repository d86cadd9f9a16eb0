import type { Fault } from '../../../../sandbox/types';
import type { EventBody, Person } from '../../support/exampleRuns';
import type { Day } from './days';
import type { Following, Subject } from './runFollowing';

/** What happens to an example that events start, or the time. */
export interface Happening {
	/** The signatories of each document. */
	documents: Person[][];
	/** Who of them signs. */
	signs(index: number): boolean;
	/** The events, in steps: those of a step come at once, and a step when the one before is over. */
	change(subjects: Subject[]): EventBody[][];
	fault?: Fault;
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
/** The events of a first time: all at once, or each by itself with its repeats. */
const firstSteps = (example: Following, bodies: EventBody[], times = 1): EventBody[][] =>
	(example.oneByOne ? bodies.map((body) => [body]) : [bodies]).map((step) =>
		Array.from({ length: times }, () => step).flat(),
	);
const withoutPeople = (body: EventBody) =>
	copyOf(body, ({ Document }) => {
		// Nor does it name the template.
		Object.assign(Document, { signatory: [], templateID: '' });
		Object.assign(Document.webhookData?.signatory ?? {}, { emailID: '' });
	});
function withOneAddress({ Document: { signatory, webhookData } }: EventBody): void {
	const [first, ...others] = [...signatory, webhookData?.signatory ?? {}];
	for (const each of others) each.emailID = ` ${String(first?.emailID).toUpperCase()} `;
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
			unknown: example.recipient ?? person(1).email,
		}),
		'0 rows': () => ({ ...two, documents: [], change: () => [] }),
		// Each event once: a service may send one for each signatory.
		'300 rows': () => ({
			...two,
			documents: documentsOf(people(300)),
			change: (subjects) => [
				subjects.flatMap(({ bodies }) =>
					bodies.filter(({ type }, at) => bodies.findIndex((each) => each.type === type) === at),
				),
			],
		}),
		'lost answer': () => ({
			...two,
			fault: { endpoint: 'GET /identity/session/results/:sessionId', times: 1, reset: 'after' },
		}),
		'mail down': () => ({ ...two, mailDown: true }),
		killed: () => ({ ...two, killed: true }),
		'two at once': () => ({ ...two, documents: documentsOf(people(4)), looks: 2 }),
		'event twice': () => ({
			...two,
			change: (subjects) => [...firstSteps(example, all(subjects), 2), all(subjects)],
		}),
		'with a new time': () => ({
			...two,
			change: (subjects) => [
				...firstSteps(example, all(subjects)),
				all(subjects).map(atAnotherTime),
			],
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
