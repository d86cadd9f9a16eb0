import type { EventSubject } from '../api/events';
import type { ValueProblemTable } from '../errors/problem';
import { plainText, quoted } from '../util/redact';

/* What can be wrong with an item that is to be sent: its people, its country, where they sign, its key. */

export const peopleProblems = {
	noList: (shown: string) => ({
		problem: `the expression must return a list of people, not ${shown}`,
		remedy:
			'Have the expression return a list such as [{ "email": "name@email.com", "name": "Nathan Smith" }].',
	}),
	noProperty: (facts: { problem: string; property: string; others: string }) => ({
		problem: `${facts.problem}, because the list's entry has no "${facts.property}". It has ${facts.others || 'no properties'}`,
		remedy: `Rename the property to "${facts.property}".`,
	}),
	nobody: {
		problem: 'add at least one person',
		remedy: 'A document needs someone to sign it.',
	},
	sameEmail: (email: string, first: string) => ({
		problem: `"${email}" is already used in ${first}`,
		remedy: 'Enter a different address for each person.',
	}),
	otherCount: (facts: { template: string; roles: string; count: number; option: string }) => ({
		problem: `the template "${facts.template}" needs one person for each role (${facts.roles}), but you entered ${facts.count === 1 ? 'one person' : `${facts.count} people`}`,
		remedy: `Enter one person for each role. If the last roles can stay empty, add the ${facts.option} option.`,
	}),
	otherRole: (facts: { role: string; place: string; roles: string }) => ({
		problem: `has the role ${quoted(facts.role)}, but is listed where ${quoted(facts.place)} belongs`,
		remedy: `Put the people in the order of the template's roles: ${facts.roles}.`,
	}),
	severalLines: {
		problem: 'contains a line break or a tab',
		remedy: 'The name is sent on one line.',
	},
	unknownCountry: (country: string) => ({
		problem: `${quoted(country)} isn't in the list of countries`,
		remedy:
			"The country is sent as you entered it. If your provider doesn't accept it, select one from the list.",
	}),
} satisfies ValueProblemTable;

export const positionProblems = {
	none: {
		problem: 'add at least one position',
		remedy:
			"Add a position, or remove this option. You can use expressions in a position's fields, but not for the whole list.",
	},
	definedByTemplate: (template: string) => ({
		problem: `the template "${template}" already defines where people sign`,
		remedy: 'Remove this option, which only works with version 1 templates.',
	}),
	/** @param page The page's size: "792 points high". */
	outsidePage: (end: number, page: string) => ({
		problem: `the signature ends at ${end}, but the page is ${page}`,
		remedy: "Move it, make it smaller, or choose the size of the template's pages under Page Size.",
	}),
	noSignatory: (email: string, emails: string[]) => ({
		problem: `"${email}" isn't one of the signatories`,
		remedy: `Enter one of these addresses: ${emails.join(', ')}.`,
	}),
	noColor: (color: string) => ({ problem: `${quoted(color)} isn't a hex color` }),
} satisfies ValueProblemTable;

const maxKeyLength = 100;

/** What a Send Once Key identifies. */
const keySubjects: Record<EventSubject, string> = {
	document: 'contract',
	identity: 'verification',
};

export const keyProblems = {
	noValue: { problem: 'no text or number tells this one apart from the others' },
	sameForAll: {
		problem: 'the key is the same for all items in all executions, so only the first item is sent',
	},
	otherContent: (key: string, count: number, differences: string[]) => ({
		problem: `${quoted(key)} is used ${count} times with different values: ${differences.join(', ')}`,
		remedy:
			'Give each item a key of its own, such as the contract number, or correct the rows so that they are the same. Of items with the same key, only one is sent.',
		docsAnchor: 'same-send-once-key',
	}),
	/** For a key that an earlier execution, or another one at the same moment, has used. */
	otherPeople: (key: string, about: EventSubject) => ({
		problem: `${plainText(key, maxKeyLength)} was already sent to other people`,
		remedy: `If it's the same ${keySubjects[about]}, take the row out; if it's another one, give it a key of its own.`,
		docsAnchor: 'key-of-other-people',
	}),
	/** For items without a key. @param option The option that adds one. */
	repeated: (facts: { item: number; first: number; option: string }) => ({
		problem: `item ${facts.item} is the same as item ${facts.first}, so the same people get it twice`,
		remedy: `If it's in your list twice by mistake, delete one of the rows, or add ${facts.option}, and the node skips it.`,
	}),
	notStorable: {
		problem: "this version of n8n can't store keys",
		remedy:
			'Use a version of n8n that this package was tested with, or remove the key. Without a key, running the workflow again sends the item again.',
		docsAnchor: 'send-once-key-not-supported',
	},
	workflowNotSaved: {
		problem: "this workflow hasn't been saved",
		remedy: 'Save the workflow first, because n8n stores the keys with it.',
	},
} satisfies ValueProblemTable;

export const runProblems = {
	noWorkflow: {
		problem: "this option doesn't work if one of n8n's Agents uses the node as a tool",
		remedy:
			'Use a workflow as the tool instead: build a workflow that contains this node, and add that workflow to the agent.',
		docsAnchor: 'agent-uses-the-node-as-a-tool',
	},
	maybeTest: (option: string) => ({
		problem: "the node can't tell whether this is a test run",
		remedy: `Nothing was sent, because n8n doesn't report whether an execution that's started in this way is a test. To test, run the workflow from the beginning in the editor. To send, make sure that the item hasn't been sent yet, and set ${option} to Send to the Real People.`,
		docsAnchor: 'unknown-test-run',
	}),
} satisfies ValueProblemTable;
