import type { Fault } from '../../../../sandbox/types';
import type { Day } from './days';

/** One contract that somebody asks for: a form that is filled in, a request, or a row of a list. */
export interface Contract {
	/** The contract number, or the key of a request. */
	key: string;
	name: string;
	email: string;
	start: string;
}

/** One time that an example is given its input, and what goes wrong then. */
export interface Round {
	fault?: Fault;
	mailDown?: true;
	/** n8n is killed while it sends, and the execution is retried. */
	killed?: true;
	/** How often at the same moment. */
	times?: number;
	/** Nobody signs, approves or opens a link. */
	ignored?: true;
	/** Nothing new is given: people do what they did not do before. */
	isLate?: true;
}

export interface Given {
	people: Contract[];
	rounds: Round[];
}

export const create = 'POST /templates/createDocumentByTemplateV2';
const refusal = {
	status: 400,
	body: { success: false, message: 'The job title is not known', responseCode: 400 },
};
const down: Fault = { endpoint: '*', answer: { status: 503 } };
const refused: Fault = { endpoint: create, times: 1, answer: refusal };

/**
 * What happens to an example that sends contracts, on each of the days that it can have.
 * @param tag Stands in every name and address, so that nothing is mixed up with another day.
 * @param isList Whether it gets all people at once.
 */
export function givenOn(day: Day, tag: string, isList: boolean): Given {
	const person = (number: number, rest: Partial<Contract> = {}): Contract => ({
		key: `${tag}-${number}`,
		name: `Person ${tag} ${number}`,
		email: `${tag}-${number}@example.com`,
		start: '2027-01-01',
		...rest,
	});
	const people = (count: number) => Array.from({ length: count }, (_, index) => person(index + 1));
	const given = (all: Contract[], ...rounds: Round[]): Given => ({
		people: all,
		rounds: rounds.length ? rounds : [{}],
	});
	const again = {
		key: `${tag}-9`,
		name: `Again ${tag}`,
		email: ` ${tag.toUpperCase()}-1@EXAMPLE.com `,
	};
	const days: Partial<Record<Day, Given>> = {
		'double person': given([person(1), person(1, again)]),
		'double row': given([person(1), person(1)]),
		'empty cell': given([person(1), person(2, { email: '' })]),
		markup: given([person(1, { name: `<b hidden>Zoë & ${tag}</b>` })]),
		'{{ }}': given([person(1, { name: `Zoë "Zed" O'Brien {{ 1 + 1 }} ${tag}` })]),
		'wrong address': given([person(1), person(2, { email: `${tag}-2 at example.com` })]),
		'0 rows': given([]),
		'300 rows': given(people(300)),
		'lost answer': given(
			people(3),
			{ fault: { endpoint: create, skip: 1, times: 1, reset: 'after' } },
			{},
		),
		'mail down': given(people(1), { fault: refused, mailDown: true }),
		'service down': given(people(1), { fault: down }, {}),
		'run again': given(people(2), { fault: refused }, {}),
		killed: given(people(isList ? 20 : 1), {
			killed: true,
			fault: { endpoint: create, skip: isList ? 10 : 0, delayMs: 5_000 },
		}),
		'two at once': given(people(isList ? 10 : 1), { times: 2 }),
		'never signs': given(people(1), { ignored: true }, { isLate: true }),
	};
	const found = days[day];
	if (!found) throw new Error(`Nothing is given on a day of "${day}".`);
	return found;
}
