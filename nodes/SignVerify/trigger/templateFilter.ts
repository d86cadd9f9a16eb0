import type { INodeProperties } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import type { Notification } from '../api/notification';
import { findTemplatesWithIds, nameOf, type TemplateWithIds, textOfIds } from '../api/templates';
import { describeError } from '../errors/nodeError';
import { fieldOf } from '../form/field';
import { readList, type SavedForm } from '../form/savedForm';
import { readEntered, textRules } from '../form/texts';
import { isUnfilled } from '../form/valueReaders';
import { InputError, readEach } from '../errors/inputError';
import type { ValueProblemTable } from '../errors/problem';
import { quoted } from '../util/redact';
import { objectOf } from '../util/values';

const filtersName = 'filters';

const templatesLabel = 'Template Names or IDs';

export const templatesField: INodeProperties = {
	displayName: templatesLabel,
	name: 'templates',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTemplates' },
	default: [],
	description:
		'Only documents created from one of these templates. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const field = fieldOf(templatesField, filtersName);

export const filterProblems = {
	unknownFilter: (name: string) => ({
		problem: `${quoted(name)} isn't a known filter`,
		remedy: `The only filter is ${templatesLabel} ("${templatesField.name}"). For any other condition, add a Filter node after the trigger. The form doesn't show the unknown filter, so replace this node with a new SignVerify Trigger, or remove the filter from the node's JSON.`,
	}),
	/** @param facts `missing` are some of the template's IDs, and `all` is the text for the filter. */
	lacksIds: ({ missing, template, all }: { missing: string; template: string; all: string }) => ({
		problem: `the filter lacks ${missing} of the template ${quoted(template)}`,
		remedy: `Select the template from the list again, or enter ${all} instead, because an event may contain any of these IDs.`,
	}),
} satisfies ValueProblemTable;

/**
 * An entry from the list contains all IDs of its template.
 * @throws InputError for a value that isn't an ID.
 */
function readTemplateIds(form: SavedForm): string[] {
	const rules = textRules.id('Select templates from the list.');
	return readList(form, field, (value) =>
		readEntered(form, { label: templatesLabel, value, saved: undefined }, rules),
	);
}

/** Decides whether an event starts the workflow. */
export type EventFilter = (notification: Notification) => boolean;

/**
 * Without a template, the filter lets every event pass. It also lets an event pass that lacks the template, because one
 * event too many is better than a lost event. For instance, notifications about identities contain no template.
 * @throws InputError for a saved filter that the form doesn't have, for a value that isn't an ID, and for an expression
 * that doesn't return a usable value. Ignoring such a filter would start the workflow for every document in the account.
 */
export function readEventFilter(form: SavedForm): EventFilter {
	checkFilterNames(form);
	const templates = readTemplateIds(form);
	return ({ document }) => {
		const id = document?.summary.templateId;
		// A missing ID means that the template is unknown, so the event passes. An empty ID means that the
		// document was created without a template, so the filter applies.
		return templates.length === 0 || id === undefined || templates.includes(id);
	};
}

/** An unknown filter that is empty would have no effect even if it were known. */
function checkFilterNames(form: SavedForm): void {
	const saved = Object.entries(objectOf(form.rawParameter(filtersName)));
	const unknown = saved.filter(
		([name, value]) => name !== templatesField.name && !isUnfilled(value),
	);
	readEach(unknown, ([name]) => {
		throw new InputError('Filters', filterProblems.unknownFilter(name));
	});
}

export interface TemplateFilter {
	ids: string[];
	/** Whether the form contains the IDs themselves, and no expression that returns them. */
	isTyped: boolean;
}

export function readTemplateFilter(form: SavedForm): TemplateFilter {
	const isTyped = !JSON.stringify(form.rawParameter(field.name) ?? '').includes('{{');
	return { ids: readTemplateIds(form), isTyped };
}

/**
 * Checks that the filter contains all IDs of its templates. An event may contain any of them, and the trigger
 * can't look them up while an event waits. Expressions are used as they are, so this only logs what is
 * missing.
 * @param isRestart If true, this only logs as well.
 * @throws InputError for a template of which the filter contains only some IDs, with the text to enter.
 */
export async function checkTemplateIds(
	service: ServiceClient,
	{ ids, isTyped }: TemplateFilter,
	isRestart: boolean,
): Promise<void> {
	if (ids.length === 0) return;
	const { found, errors } = await findTemplatesWithIds(service, ids);
	const warn = (problem: string) =>
		service.logger.warn(`SignVerify Trigger: ${templatesLabel}: ${problem}`);
	for (const error of errors) {
		const reason = describeError(error).message;
		warn(`couldn't check whether the filter contains all IDs of its templates: ${reason}`);
	}
	const unknown = ids.filter((id) => !found.some((template) => template.ids.includes(id)));
	if (unknown.length > 0 && errors.length === 0) {
		warn(
			`your account has no template with the ID ${unknown.map(quoted).join(', ')}. An event about its documents starts the workflow only if it contains exactly this ID.`,
		);
	}
	const missingOf = (one: TemplateWithIds) => one.ids.filter((id) => !ids.includes(id));
	// Two templates can share an ID. The one with the fewest missing IDs is the one that was meant.
	const meant = ids.flatMap((id) => {
		const having = found.filter((one) => one.ids.includes(id));
		return having.sort((one, other) => missingOf(one).length - missingOf(other).length)[0] ?? [];
	});
	const incomplete = [...new Set(meant)].filter((one) => missingOf(one).length > 0);
	const mistakes = incomplete.map((one) => {
		const missing = missingOf(one);
		const what = `${missing.length === 1 ? 'the ID' : 'the IDs'} ${missing.map(quoted).join(', ')}`;
		return filterProblems.lacksIds({
			missing: what,
			template: nameOf(one.template),
			all: textOfIds(one.ids),
		});
	});
	if (!isTyped || isRestart) {
		for (const { problem, remedy } of mistakes) warn(`${problem}. ${remedy}`);
		return;
	}
	readEach(mistakes, (mistake) => {
		throw new InputError(templatesLabel, mistake);
	});
}
