import type { INodeProperties } from 'n8n-workflow';

import { enteredIn, textKinds } from '../input/enteredText';
import { optionsField } from '../input/form';
import { InputError } from '../input/inputError';
import { type ItemContext, stopOnWarningsOption } from '../input/item';
import { readChoice, readEmail } from '../input/parameters';
import { readSwitch } from '../input/savedForm';
import { runKindOf } from '../n8nInternals';
import { readItemText } from '../templateForm/itemText';
import type { SendingWords } from './types';
import { runProblems } from './sendingProblems';

const inTestRunsLabel = 'In Test Runs';
const inTestRunsPath = 'options.inTestRuns';
const emailLabel = `${inTestRunsLabel}, Email`;
const neverSendLabel = 'Never Send';

const testRunChoices = [
	{ name: 'Nothing', value: 'nothing', description: 'Check everything, but send nothing' },
	{ name: 'To Me', value: 'me', description: 'Send everything to your own email address' },
	{ name: 'To the Real People', value: 'realPeople', description: 'Send as in a live execution' },
] as const;

/**
 * Creates the option that determines what a test run does. A node without it sends to the real people, so a new node
 * has it ({@link sendingOptions}).
 */
function inTestRunsOption({ toMe }: SendingWords): INodeProperties {
	return {
		displayName: inTestRunsLabel,
		name: 'inTestRuns',
		type: 'fixedCollection',
		// @n8n n8n also selects this when a user adds the option.
		default: { testRun: { send: 'nothing' } },
		description:
			'What to send in a test run. When the published workflow runs, the node sends to the real people.',
		options: [
			{
				// n8n doesn't show the name of a collection's only group.
				displayName: inTestRunsLabel,
				name: 'testRun',
				values: [
					{
						displayName: 'Send',
						name: 'send',
						type: 'options',
						noDataExpression: true,
						options: [...testRunChoices],
						default: 'nothing',
						description: 'What to send in a test run',
					},
					{
						displayName: 'Email',
						name: 'email',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. you@example.com',
						displayOptions: { show: { send: ['me'] } },
						description: toMe,
					},
				],
			},
		],
	};
}

const neverSendOption: INodeProperties = {
	displayName: neverSendLabel,
	name: 'neverSend',
	type: 'boolean',
	default: true,
	description:
		'Whether to check everything and send nothing, even when the published workflow runs',
};

/**
 * Creates the end of a form that sends something: its options, and what depends on them. A new node sends nothing in
 * the editor and stops on warnings, because both options are in the collection's default.
 */
export function sendingOptions(words: SendingWords, options: INodeProperties[]): INodeProperties[] {
	const inTestRuns = inTestRunsOption(words);
	return [
		{
			displayName: `Executing this step ${words.effect}. To send nothing, or everything to yourself, use the ${inTestRunsLabel} option.`,
			name: 'sendsNotice',
			type: 'notice',
			default: '',
			displayOptions: {
				hide: {
					'/options.inTestRuns.testRun.send': ['nothing', 'me'],
					'/options.neverSend': [true],
				},
			},
		},
		{
			...optionsField([inTestRuns, stopOnWarningsOption, neverSendOption, ...options]),
			default: { [inTestRuns.name]: inTestRuns.default, [stopOnWarningsOption.name]: true },
		},
	];
}

type Unsent = 'unsentInTestRun' | 'neverSent';

export type Addressees = 'realPeople' | 'tester' | Unsent;

export function isUnsent(addressees: Addressees): addressees is Unsent {
	return addressees === 'unsentInTestRun' || addressees === 'neverSent';
}

/**
 * @throws InputError for a value that the form doesn't offer, and if the answer depends on whether this is a
 * test run, but n8n doesn't say whether it is.
 */
export function readAddressees(item: ItemContext): Addressees {
	if (readSwitch(item, { name: 'options.neverSend', label: neverSendLabel })) return 'neverSent';
	if (item.rawParameter(inTestRunsPath) === undefined) return 'realPeople';
	const send = item.parameter(`${inTestRunsPath}.testRun.send`);
	const { value: choice } = readChoice(send, `${inTestRunsLabel}, Send`, testRunChoices);
	if (choice === 'realPeople' || !isTestRun(item)) return 'realPeople';
	return choice === 'me' ? 'tester' : 'unsentInTestRun';
}

/**
 * @throws InputError if n8n does not report the mode. Guessing wrong could send a test to the real people, or
 * a real document to the tester.
 */
function isTestRun(item: ItemContext): boolean {
	const kind = runKindOf(item.context);
	if (kind !== 'unknown') return kind === 'test';
	throw new InputError(inTestRunsLabel, runProblems.maybeTest(inTestRunsLabel));
}

/** @throws InputError even if the value is empty, because otherwise the test would reach the real people. */
export function readTesterEmail(item: ItemContext): string {
	const name = `${inTestRunsPath}.testRun.email`;
	return readItemText(item, enteredIn(item, { name, label: emailLabel }), textKinds.email());
}

/**
 * Gives each person a different variant of the tester's address, such as you+1@example.com, because the service
 * refuses duplicate addresses. A single person gets the address unchanged.
 * @param emails The people's addresses, without duplicates.
 */
export function testAddresses(testerEmail: string, emails: string[]): (email: string) => string {
	if (emails.length < 2) return () => testerEmail;
	const at = testerEmail.lastIndexOf('@');
	const substitutes = new Map(
		emails.map((email, index) => {
			const variant = `${testerEmail.slice(0, at)}+${index + 1}${testerEmail.slice(at)}`;
			return [email, readEmail(variant, emailLabel)];
		}),
	);
	// Use the tester's address even in place of an unknown one, because a test must never reach a real person.
	return (email) => substitutes.get(email) ?? testerEmail;
}

export function hintOfNothingSent(
	addressees: Unsent,
	{ toTry, whenPublished }: SendingWords,
): string {
	return addressees === 'unsentInTestRun'
		? `Nothing was sent, because this is a test. ${toTry}, set ${inTestRunsLabel} to To Me. When the published workflow runs, the node ${whenPublished}.`
		: `Nothing was sent, because ${neverSendLabel} is on. With this option, the node won't send anything, even when the published workflow runs.`;
}
