import type { ValueProblemTable } from '../errors/problem';
import { quoted } from '../util/redact';

/* What can be wrong with the choice of a template. */

export const templateProblems = {
	severalWithId: (id: string, names: string[]) => ({
		problem: `several templates have the ID "${id}": ${names.join(', ')}`,
		remedy:
			"Enter your template's other ID (templateID or _id). If it doesn't have another ID, open your provider's account and delete whichever template you no longer need.",
		docsAnchor: 'several-templates-with-the-id',
	}),
	noneWithId: (id: string) => ({
		problem: `your account has no template with the ID "${id}"`,
		remedy: 'Select one from the list, or check the ID.',
	}),
	/** @param shownName The name that the form shows for the ID. */
	noneWithShownName: (id: string, shownName: string) => ({
		problem: `your account has no template with the ID "${id}", which the form shows as ${quoted(shownName)}`,
		remedy:
			'Select the template again. In another account, a template has another ID, so choose it By Name if you use the workflow with several accounts.',
	}),
	/** @param names The names of these templates in the list. */
	severalWithName: (name: string, names: string) => ({
		problem: `several templates have the name ${quoted(name)}: ${names}`,
		remedy: 'Enter one of these names as it is here, or select the template from the list.',
	}),
	/** @param names The names of all templates, the closest first. */
	noneWithName: (name: string, names: string) => ({
		problem: `your account has no template with the name ${quoted(name)}. The names are ${names}`,
		remedy: 'Enter one of these names, or select the template from the list.',
	}),
	noneActive: {
		problem: 'your account has no active templates to choose from',
		remedy: "Create a template in your provider's account, or activate one.",
	},
	noneActiveWithText: {
		problem: 'your account has no active templates with this text in their names',
		remedy: "Change the filter, or activate a template in your provider's account.",
	},
	inactive: (name: string, status: string) => ({
		problem: `"${name}" has the status ${status}`,
		remedy:
			"We've only seen documents from templates with the status ACTIVE, so your provider may reject this one.",
	}),
} satisfies ValueProblemTable;
