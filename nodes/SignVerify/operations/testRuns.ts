import type { INodeProperties } from 'n8n-workflow';

import { readItemText } from '../columns/itemText';
import { optionsField } from '../form/collections';
import { fieldOf } from '../form/field';
import { readSwitch } from '../form/savedForm';
import { enteredIn, textRules, textField } from '../form/texts';
import { readChoice, readEmail } from '../form/valueReaders';
import type { ItemContext } from '../item/item';
import { sendDespiteWarningsOption } from '../item/sendDespiteWarnings';
import { runPurposeOf } from '../n8nInternals';
import { InputError } from '../errors/inputError';
import { isEmpty } from '../util/values';
import { runProblems } from './sendingProblems';
import type { SendingWords } from './operationTypes';

const testRunChoices = [
	{ name: 'Send Nothing', value: 'nothing', description: 'Check everything, but send nothing' },
	{ name: 'Send to Me', value: 'me', description: 'Send everything to your own email address' },
	{
		name: 'Send to the Real People',
		value: 'realPeople',
		description: 'Send everything to the people in your data',
	},
] as const;

const inTestRunsField = {
	displayName: 'In Test Runs',
	name: 'inTestRuns',
	type: 'options',
	noDataExpression: true,
	options: [...testRunChoices],
	default: 'nothing',
	description:
		'What to send in a test run. When the published workflow runs, the node sends to the real people.',
} satisfies INodeProperties;

const testEmailField = textField({
	displayName: 'Your Email',
	name: 'testEmail',
	placeholder: 'e.g. you@example.com',
	displayOptions: { show: { [inTestRunsField.name]: ['me'] } },
});

const neverSendOption: INodeProperties = {
	displayName: 'Never Send',
	name: 'neverSend',
	type: 'boolean',
	default: true,
	description:
		'Whether to check everything and send nothing, even when the published workflow runs. Use it for a published workflow that only checks.',
};

/** Creates the fields for what a test run sends. */
export function testRunFields(words: SendingWords): INodeProperties[] {
	return [
		inTestRunsField,
		{ ...testEmailField, description: words.toMe },
		{
			displayName: `Executing this step ${words.effect}. To send nothing, or everything to yourself, change ${inTestRunsField.displayName}.`,
			name: 'sendsNotice',
			type: 'notice',
			default: '',
			displayOptions: {
				show: { [inTestRunsField.name]: ['realPeople'] },
				hide: { '/options.neverSend': [true] },
			},
		},
	];
}

/** Creates the options of an operation that sends something. */
export function sendingOptions(options: INodeProperties[]): INodeProperties {
	return optionsField([sendDespiteWarningsOption, neverSendOption, ...options]);
}

type Unsent = 'unsentInTestRun' | 'neverSent';

export type Addressees = 'realPeople' | 'testRecipient' | Unsent;

export function isUnsent(addressees: Addressees): addressees is Unsent {
	return addressees === 'unsentInTestRun' || addressees === 'neverSent';
}

/**
 * Reads whom an item goes to. What a test run sends is read as it is saved, because an expression, even one of a
 * model, could otherwise send a test to the real people. A node that lacks the field sends nothing in a test.
 * @throws InputError for a value that the form doesn't offer, and if the answer depends on whether this is a
 * test run, but n8n doesn't say whether it is.
 */
export function readAddressees(item: ItemContext): Addressees {
	if (readSwitch(item, fieldOf(neverSendOption, 'options'))) return 'neverSent';
	const { name, displayName, default: fallback } = inTestRunsField;
	const saved = item.rawParameter(name);
	const { value: choice } = readChoice(
		isEmpty(saved) ? fallback : saved,
		displayName,
		testRunChoices,
	);
	if (choice === 'realPeople' || !isTestRun(item)) return 'realPeople';
	return choice === 'me' ? 'testRecipient' : 'unsentInTestRun';
}

/**
 * @throws InputError if n8n does not report the mode. Guessing wrong could send a test to the real people, or
 * a real document to the test recipient.
 */
function isTestRun(item: ItemContext): boolean {
	const purpose = runPurposeOf(item.context);
	if (purpose !== 'unknown') return purpose === 'test';
	const { displayName } = inTestRunsField;
	throw new InputError(displayName, runProblems.maybeTest(displayName));
}

/** @throws InputError even if the value is empty, because otherwise the test would reach the real people. */
export function readTestRecipient(item: ItemContext): string {
	return readItemText(item, enteredIn(item, fieldOf(testEmailField)), textRules.email());
}

/**
 * Gives each person a different variant of the test recipient's address, such as you+1@example.com, because the service
 * refuses duplicate addresses. A single person gets the address unchanged.
 * @param emails The people's addresses, without duplicates.
 */
export function testAddresses(testRecipient: string, emails: string[]): (email: string) => string {
	if (emails.length < 2) return () => testRecipient;
	const at = testRecipient.lastIndexOf('@');
	const substitutes = new Map(
		emails.map((email, index) => {
			const variant = `${testRecipient.slice(0, at)}+${index + 1}${testRecipient.slice(at)}`;
			return [email, readEmail(variant, testEmailField.displayName)];
		}),
	);
	// Use the test recipient's address even in place of an unknown one, because a test must never reach a real person.
	return (email) => substitutes.get(email) ?? testRecipient;
}

export function hintOfNothingSent(
	addressees: Unsent,
	{ toTry, whenPublished }: SendingWords,
): string {
	return addressees === 'unsentInTestRun'
		? `Nothing was sent, because this is a test. ${toTry}, set ${inTestRunsField.displayName} to Send to Me. When the published workflow runs, the node ${whenPublished}.`
		: `Nothing was sent, because ${neverSendOption.displayName} is on. With this option, the node won't send anything, even when the published workflow runs.`;
}

/** The last line about a list of which nothing was sent. For a single item, its outcome says the same. */
export function hintOfCounts(toSend: number, toSkip: number, { noun }: SendingWords): string {
	const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
	const skipped = toSkip === 0 ? '' : `, ${counted(toSkip, 'item')} would be skipped`;
	return `${counted(toSend, noun.replace(/^the /, ''))} would be sent${skipped}.`;
}
