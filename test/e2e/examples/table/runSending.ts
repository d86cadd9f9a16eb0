import type { Fault, MailView } from '../../../../sandbox/types';
import { until } from '../../../support/until';
import * as own from '../../support/exampleRuns';
import type { Scenario, Outcome } from './scenarios';

/** One requested contract: a filled-in form, an HTTP request, or a row in a list. */
export interface Contract {
	/** The contract number or, in an HTTP request, its key. */
	key: string;
	name: string;
	email: string;
	start: string;
}

/** One round of a scenario, in which an example gets its input while these faults occur. */
export interface Round {
	fault?: Fault;
	mailDown?: true;
	/** n8n is killed while it sends a contract, and the execution is retried afterward. */
	killed?: true;
	/** How many times the example gets the same input at the same time. */
	times?: number;
	/** No one signs, approves or opens a link. */
	ignored?: true;
	/** The example gets no new input. Instead, people now do what they ignored in the previous round. */
	isLate?: true;
}

export interface ScenarioInput {
	people: Contract[];
	rounds: Round[];
}

export const create = 'POST /templates/createDocumentByTemplateV2';
const refusal = {
	status: 400,
	body: { success: false, message: 'The job title is not known', responseCode: 400 },
};
const refused: Fault = { endpoint: create, times: 1, response: refusal };

/**
 * Returns the people and rounds of a failure scenario for an example that sends contracts.
 * @param tag Included in every name and email address to tell the scenarios apart.
 * @param isList Whether the example gets all people in a single list.
 */
function inputOf(scenario: Scenario, tag: string, isList: boolean): ScenarioInput {
	const person = (number: number, rest: Partial<Contract> = {}): Contract => ({
		key: `${tag}-${number}`,
		name: `Person ${tag} ${number}`,
		email: `${tag}-${number}@example.com`,
		start: '2027-01-01',
		...rest,
	});
	const people = (count: number) => Array.from({ length: count }, (_, index) => person(index + 1));
	const inputWith = (all: Contract[], ...rounds: Round[]): ScenarioInput => ({
		people: all,
		rounds: rounds.length ? rounds : [{}],
	});
	const again = {
		key: `${tag}-9`,
		name: `Again ${tag}`,
		email: ` ${tag.toUpperCase()}-1@EXAMPLE.com `,
	};
	const inputs: Partial<Record<Scenario, ScenarioInput>> = {
		'duplicate person': inputWith([person(1), person(1, again)]),
		'duplicate row': inputWith([person(1), person(1)]),
		'empty cell': inputWith([person(1), person(2, { email: '' })]),
		'HTML in a name': inputWith([person(1, { name: `<b hidden>Zoë & ${tag}</b>` })]),
		'expression in a name': inputWith([person(1, { name: `Zoë "Zed" O'Brien $json ${tag}` })]),
		'invalid address': inputWith([person(1), person(2, { email: `${tag}-2 at example.com` })]),
		'list of 300 people': inputWith(people(300)),
		'lost response': inputWith(
			people(3),
			{ fault: { endpoint: create, skip: 1, times: 1, reset: 'after' } },
			{},
		),
		'mail server down': inputWith(people(1), { fault: refused, mailDown: true }),
		'workflow run again': inputWith(people(2), { fault: refused }, {}),
		'n8n killed': inputWith(people(isList ? 20 : 1), {
			killed: true,
			fault: { endpoint: create, skip: isList ? 10 : 0, delayMs: 5_000 },
		}),
		'two executions at once': inputWith(people(isList ? 10 : 1), { times: 2 }),
		'contract never signed': inputWith(people(1), { ignored: true }, { isLate: true }),
	};
	const found = inputs[scenario];
	if (!found) throw new Error(`The failure scenario "${scenario}" doesn't have any input.`);
	return found;
}

/** What an example reports about a contract, as one of the letters explained in `scenarios.ts`. */
export interface Claim {
	/** The contract, or undefined if the report is about the entire list. */
	person?: Contract | undefined;
	says: string;
}

/** How to use an example that sends contracts, and how to read its reports. */
export interface Sending {
	/** Whether the example gets all people in a single list. */
	isList?: true;
	/** Returns the key that the example uses to recognize a repeated contract. */
	keyOf(person: Contract): string;
	/** Stores and publishes the example. @param isShort Whether the example waits seconds instead of days. */
	publish(isShort: boolean): Promise<string>;
	/** Starts the example for these people without waiting for it to finish. */
	startFor(workflow: string, people: Contract[]): Promise<unknown>;
	/** Does whatever a person can do at this point: signs, approves, or opens a link. */
	actFor?(workflow: string, person: Contract): Promise<unknown>;
	/** Deletes the recorded responses of earlier rounds. */
	forgetResponses?(): void;
	/**
	 * What the example has reported.
	 * @param mails The emails received since this round began, oldest first.
	 */
	readReports(people: Contract[], mails: MailView[]): Claim[] | Promise<Claim[]>;
}

const { stage } = own;
export const plainEmail = (email: string) => email.trim().toLowerCase();
/** The contract of the person whose name appears in the text. */
export const contractIn = (people: Contract[], text: string) =>
	people.find(({ name }) => name !== '' && text.includes(name.trim()));

/** Runs one failure scenario of one example and checks the guarantees that hold in every scenario. */
export async function runSending(
	example: Sending,
	scenario: Scenario,
	tag: string,
	expected: Outcome,
) {
	const { people, rounds } = inputOf(scenario, tag, example.isList ?? false);
	const earlier = stage.sandbox.documents().length;
	const outcomes = Array.isArray(expected) ? expected : [expected];
	const claims: Claim[] = [];
	const workflow = await example.publish(rounds.some(({ ignored }) => ignored));
	for (const [index, round] of rounds.entries()) {
		claims.push(...(await runRound(example, workflow, people, round, outcomes[index] ?? '')));
	}
	await own.unpublish();
	expectTrue(example, people, claims, earlier);
}

/** Runs one round until the example has made the expected reports. @returns The reports. */
async function runRound(
	example: Sending,
	workflow: string,
	people: Contract[],
	{ fault, mailDown, killed, times = 1, ignored, isLate }: Round,
	expected: string | RegExp,
): Promise<Claim[]> {
	const [mails, creations] = [own.newMails(), own.creations().length];
	const readReports = async () => await example.readReports(people, mails());
	const act = async () => {
		if (ignored) return;
		for (const person of people) await example.actFor?.(workflow, person);
	};
	const waitForReportCount = async (count: number) =>
		await until(`${count} contracts are reported`, async () => {
			await act();
			return (await readReports()).length >= count;
		});
	example.forgetResponses?.();
	stage.sandbox.faults.clear();
	if (fault) stage.sandbox.faults.set(fault);
	own.office.down = mailDown ?? false;

	if (isLate) await act();
	else if (example.isList || times > 1) {
		const start = async () => await example.startFor(workflow, people);
		await Promise.all(Array.from({ length: times }, start));
	} else {
		for (const [index, person] of people.entries()) {
			await example.startFor(workflow, [person]);
			if (!killed && !mailDown) await waitForReportCount(index + 1);
		}
	}
	if (killed) {
		await until('the contract is being sent', async () => {
			await act();
			return own.creations().length > creations + (fault?.skip ?? 0);
		});
		await own.crashAndRetry(workflow);
	}
	if (mailDown) {
		const executions = await own.endedExecutions(workflow, 1);
		own.office.down = false;
		for (const { id, status } of executions) if (status === 'error') await own.retry(id);
	}
	return await waitForReports(expected, async () => {
		await act();
		return await readReports();
	});
}

/**
 * Expects that every person appears in the reports, and that the contracts sent match the reports: none is
 * missing, duplicated, or sent to someone else.
 */
function expectTrue(example: Sending, people: Contract[], claims: Claim[], earlier: number) {
	const documents = stage.sandbox.documents().slice(earlier);
	const emails = new Set(people.map(({ email }) => plainEmail(email)));
	for (const email of emails) {
		const own = people.filter((person) => plainEmail(person.email) === email);
		const sent = documents.filter(({ signatory }) =>
			signatory.some(({ emailID }) => plainEmail(emailID) === email),
		);
		const keysSaid = (says: RegExp) =>
			new Set(
				claims.flatMap((claim) =>
					claim.person && own.includes(claim.person) && says.test(claim.says)
						? [example.keyOf(claim.person)]
						: [],
				),
			).size;
		const said = claims.filter(({ person }) => person && own.includes(person));
		expect([email, said.length > 0]).toEqual([email, true]);
		expect(sent.length).toBeGreaterThanOrEqual(keysSaid(/[sbm]/));
		expect(sent.length).toBeLessThanOrEqual(keysSaid(/[sbmu]/));
		const names = own.map(({ name }) => name);
		for (const { signatory } of sent) expect(names).toContain(signatory[0]?.name);
	}
	const strangers = documents.filter(
		({ signatory }) => !signatory.every(({ emailID }) => emails.has(plainEmail(emailID))),
	);
	expect(strangers).toEqual([]);
}

/** Waits for the expected reports. @returns The reports. */
async function waitForReports(
	expected: string | RegExp,
	readReports: () => Promise<Claim[]>,
): Promise<Claim[]> {
	const pattern = typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected;
	const textOf = (claims: Claim[]) =>
		claims
			.map(({ says }) => says)
			.sort()
			.join('');
	const deadline = Date.now() + limitMs;
	let reports = await readReports();
	while (!pattern.test(textOf(reports)) && Date.now() < deadline) {
		await new Promise((resolve) => setTimeout(resolve, 200));
		reports = await readReports();
	}
	expect(textOf(reports)).toMatch(pattern);
	return reports;
}
/** How long (ms) an example may take to process 300 rows. */
const limitMs = 100_000;
