import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../input/inputError';
import type { ItemContext } from '../input/item';
import { readEmail } from '../input/parameters';
import { readPersonEmail } from '../input/person';
import { readSwitch } from '../input/savedForm';
import { runKindOf } from '../n8nInternals';

/**
 * Whether the execution is a test run.
 * @param field The name of the option that depends on this.
 * @param remedy What the user can do with the option if n8n does not report the mode.
 * @throws InputError if n8n does not report the mode. Guessing wrong could send a test to the real people, or
 * a real document to the test recipient.
 */
function isTestRun(item: ItemContext, field: string, remedy: string): boolean {
	const kind = runKindOf(item.execute);
	if (kind !== 'unknown') return kind === 'test';
	throw new InputError(
		field,
		"the node can't tell whether this is a test run",
		`n8n doesn't report this for a retried execution, for a node that one of n8n's Agents uses as a tool, for a sub-workflow that n8n's Chat or MCP server has started, for a sub-workflow after a wait, or for a sub-workflow that an AI agent's tool has started. ${remedy}`,
		'n8n-does-not-say-whether-this-is-a-test-run',
	);
}

/**
 * An option for operations that send something to people. Without this option, the item is sent. n8n saves
 * the value of every added option, so the default is only the initial value of a newly added option.
 */
export const checkOnlyOption: INodeProperties = {
	displayName: 'Check Only',
	name: 'checkOnly',
	type: 'options',
	options: [
		{ name: 'Off', value: 'off', description: 'Always send, even in test runs' },
		{ name: 'On', value: 'on', description: 'Never send, even in published workflows' },
		{
			name: 'In Test Runs',
			value: 'inTestRuns',
			description:
				"Don't send when you execute the workflow in the editor, in its chat, or in an evaluation. Send when the published workflow runs.",
		},
	],
	default: 'inTestRuns',
	description:
		'When to check everything without sending it. The output then shows what would have been sent.',
};

const checkOnlyPath = `options.${checkOnlyOption.name}`;

/**
 * Why an item is checked without being sent: either Check Only is set to "On", or it is set to "In Test Runs"
 * and this is a test run.
 */
export type CheckOnlyReason = 'on' | 'testRun';

/**
 * Reads "Check Only", which decides whether the item is only checked and not sent.
 * @returns undefined if the item will be sent.
 * @throws InputError for an unknown value, and for "In Test Runs" if n8n does not report whether this is a
 * test run.
 */
export function readCheckOnly(item: ItemContext): CheckOnlyReason | undefined {
	const { displayName } = checkOnlyOption;
	if (item.parameter(checkOnlyPath) !== 'inTestRuns') {
		return readSwitch(item, { name: checkOnlyPath, label: displayName }) ? 'on' : undefined;
	}
	const isInTestRun = isTestRun(
		item,
		displayName,
		'To send to the real people, select Off. To send nothing, select On, or run the workflow from the beginning in the editor.',
	);
	return isInTestRun ? 'testRun' : undefined;
}

const recipientLabel = 'Test Recipient';
const recipientName = 'testRecipient';
const recipientPath = `options.${recipientName}`;

/**
 * Creates an option for operations that send something to people. In test runs, everything goes to the email
 * address in this option instead.
 * @param effect What happens in a test run. It continues a sentence that begins with "Email address".
 * @param test A reminder that a test creates something real in the account. It begins a sentence.
 * @param detail One more sentence about the effect.
 */
export function testRecipientOption(effect: string, test: string, detail = ''): INodeProperties {
	return {
		displayName: recipientLabel,
		name: recipientName,
		type: 'string',
		default: '',
		placeholder: 'e.g. you@example.com',
		description: `Email address ${effect} when you execute the workflow in the editor, in its chat, or in an evaluation.${detail} Published workflows ignore this option. ${test}, so it also starts your published workflows that begin with a SignVerify Trigger.`,
	};
}

/** Whether "Test Recipient" was added, even if its value is empty. */
export function hasTestRecipient(item: ItemContext): boolean {
	return item.rawParameter(recipientPath) !== undefined;
}

/**
 * Whether the item goes to the test recipient, that is, the option was added and this is a test run.
 * @throws InputError if n8n does not report whether this is a test run.
 */
export function isForTestRecipient(item: ItemContext): boolean {
	if (!hasTestRecipient(item)) return false;
	return isTestRun(
		item,
		recipientLabel,
		'To reach the real people, remove this option. To reach only yourself, run the workflow from the beginning in the editor.',
	);
}

/**
 * Reads the address to which everything is sent in a test run. Call {@link isForTestRecipient} first.
 * @throws InputError if the value is not an email address. An empty value is also an error, because otherwise
 * the test would reach the real people.
 */
export function readTestRecipient(item: ItemContext): string {
	return readPersonEmail(item, item.parameter(recipientPath), recipientLabel);
}

/**
 * Gives each person a different variant of the test recipient's address, because the service rejects
 * duplicate addresses.
 * @param emails The people's addresses, without duplicates.
 * @returns A function that returns the substitute for a person's address. A single person gets the
 * recipient's address unchanged. Several people get numbered variants, such as you+1@example.com.
 * @throws InputError if a variant is too long.
 */
export function testAddresses(recipient: string, emails: string[]): (email: string) => string {
	if (emails.length < 2) return () => recipient;
	const at = recipient.lastIndexOf('@');
	const substitutes = new Map(
		emails.map((email, index) => {
			const variant = `${recipient.slice(0, at)}+${index + 1}${recipient.slice(at)}`;
			return [email, readEmail(variant, recipientLabel)];
		}),
	);
	// Use the test recipient's address even in place of an unknown one, because a test must never reach a
	// real person.
	return (email) => substitutes.get(email) ?? recipient;
}

/**
 * Creates the notice above the options, which warns that executing the step in the editor sends something.
 * The notice is hidden if "Check Only" is set to On or In Test Runs. Adding "Test Recipient" doesn't hide it,
 * so its text must be true both with and without that option.
 * @param effect What executing the step does by default. It completes "By default, executing this step …".
 * @param test What "Test Recipient" is for. It completes "To …, add Test Recipient."
 */
export function sendsNotice(effect: string, test: string): INodeProperties {
	return {
		displayName: `By default, executing this step ${effect}. To send nothing, add the Check Only option. To ${test}, add Test Recipient.`,
		name: 'sendsNotice',
		type: 'notice',
		default: '',
		displayOptions: { hide: { '/options.checkOnly': ['on', 'inTestRuns'] } },
	};
}
