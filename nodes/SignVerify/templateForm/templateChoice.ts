import { type INodeProperties, isExpression } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import {
	findTemplates,
	idOf,
	isActive,
	maxShownNameLength,
	nameOf,
	findableNameOf,
	statusOf,
} from '../api/templates';
import type { Template } from '../api/types';
import { shortList } from '../columns/columnNames';
import { readItemText } from '../columns/itemText';
import { fieldOf } from '../form/field';
import { chosenText, locatorField, savedChoice } from '../form/locator';
import { type TextRules, textRules } from '../form/texts';
import { trimUnseen } from '../form/valueReaders';
import type { ItemContext } from '../item/item';
import { isTool } from '../n8nInternals';
import { InputError } from '../errors/inputError';
import { type Settled, settle } from '../util/async';
import { searchName } from '../util/names';
import { plainText } from '../util/redact';
import { isEmpty, listOf, objectOf, textOf } from '../util/values';
import { templateProblems } from './templateProblems';
import { entriesNamed, entriesOfRun, templateEntries, type TemplateEntry } from './templateEntries';

const locatorById = locatorField(
	{
		displayName: 'Template',
		name: 'templateId',
		description: 'The template to use',
		builderHint: {
			propertyHint: "Choose a template from the account's list. Never make up an ID.",
		},
	},
	'Choose a template…',
	'searchTemplates',
);

/** The mode for a name, which can be the same in every account, and which a web form returns. */
const byName = 'name';

export const templateLocator: INodeProperties = {
	...locatorById,
	modes: [
		...(locatorById.modes ?? []),
		{
			displayName: 'By Name',
			name: byName,
			type: 'string',
			placeholder: 'e.g. Employment contract',
		},
	],
};

export function loadedField(
	field: Omit<INodeProperties, 'type' | 'default'>,
	loading: { resourceMapperMethod: string; supportAutoMap: boolean; addAllFields: boolean },
): INodeProperties {
	return {
		...field,
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: ['templateId.value'],
			resourceMapper: {
				mode: 'add',
				valuesLabel: field.displayName,
				fieldWords: { singular: 'field', plural: 'fields' },
				refreshStaleSchemaOnOpen: true,
				...loading,
			},
		},
	};
}

/**
 * Finds a template by either of its two IDs.
 * @throws InputError if several templates have the ID.
 */
export async function findTemplate(
	service: ServiceClient,
	id: string,
): Promise<Template | undefined> {
	const templates = await findTemplates(service, id);
	if (templates.length < 2) return templates[0];
	const names = templates
		.slice(0, 3)
		.map(
			(template) => `"${nameOf(template)}" (version ${template.templateVersion === 'v2' ? 2 : 1})`,
		);
	throw new InputError(templateLocator.displayName, templateProblems.severalWithId(id, names));
}

/** How many names of templates a message shows if several have the name. */
const maxNames = 5;

/** The maximum length, in characters, of a message's list of names, none of which may be cut. */
const maxTemplateNamesLength = 5000;

/**
 * Finds a template by its name in the list, its own name, or its key ({@link entriesNamed}).
 * @returns undefined if there is no such template.
 * @throws InputError if several templates have the name.
 */
function findNamed(entries: TemplateEntry[], name: string): Template | undefined {
	const found = entriesNamed(entries, name);
	if (found.length < 2) return found[0]?.template;
	const names = found
		.slice(0, maxNames)
		.map((entry) => `"${plainText(entry.name, maxShownNameLength)}"`);
	const unshown = found.length > maxNames ? ` and ${found.length - maxNames} more` : '';
	const listed = `${names.join(', ')}${unshown}`;
	throw new InputError(templateLocator.displayName, templateProblems.severalWithName(name, listed));
}

/**
 * Finds the template for the form that the editor loads.
 * @param mode How the template is chosen.
 * @throws the same errors as {@link findTemplate}, or InputError if several templates have the name.
 */
export async function templateOfForm(
	service: ServiceClient,
	{ mode, choice }: { mode: unknown; choice: string },
): Promise<Template | undefined> {
	if (mode === byName) return findNamed(await templateEntries(service), choice);
	return await findTemplate(service, choice);
}

/**
 * Finds the item's template. Items with the same template share one lookup.
 * @throws InputError if no template is chosen, the account doesn't have the chosen one, or several have its name, or
 * ServiceError if a list of templates could not be loaded.
 */
export async function chosenTemplate(item: ItemContext): Promise<Template> {
	const choice = textOfChoice(item);
	const isName = isChosenByName(item);
	const template = await (isName
		? item.remember(`template named ${choice}`, async () =>
				findNamed(await entriesOfRun(item), choice),
			)
		: item.remember(`template ${choice}`, async () => await findTemplate(item.service, choice)));
	if (template) return template;
	// The name of a template can look like a mistake, so only a choice that isn't found is judged by its looks.
	readItemText(item, chosenText(item, fieldOf(templateLocator)), rulesOfChoice(item));
	if (isName) {
		throw await item.remember(`no template named ${choice}`, async () =>
			notNamed(await entriesOfRun(item), choice),
		);
	}
	const shownName = shownNameOf(item, choice);
	throw new InputError(
		templateLocator.displayName,
		shownName
			? templateProblems.noneWithShownName(choice, shownName)
			: templateProblems.noneWithId(choice),
	);
}

function notNamed(entries: TemplateEntry[], name: string): InputError {
	const wordsOf = (text: string) => searchName(text).split(/[\s_.-]+/);
	const wanted = new Set(wordsOf(name));
	const closeness = new Map(
		entries.map(({ template }) => [
			findableNameOf(template),
			[nameOf(template), textOf(template.key)].map(searchName).includes(searchName(name))
				? Number.MAX_SAFE_INTEGER
				: wordsOf(nameOf(template)).filter((word) => wanted.has(word)).length,
		]),
	);
	const closestFirst = [...closeness.keys()].sort(
		(left, right) => (closeness.get(right) ?? 0) - (closeness.get(left) ?? 0),
	);
	const listed =
		plainText(shortList(closestFirst, 20, maxShownNameLength), maxTemplateNamesLength) || 'none';
	return new InputError(templateLocator.displayName, templateProblems.noneWithName(name, listed));
}

/**
 * Returns the name that the form shows for the chosen ID; '' if it shows only the ID. It's read as it is saved, because
 * n8n would run a name that begins with "=" as an expression.
 */
function shownNameOf(item: ItemContext, id: string): string {
	const { mode, value, cachedResultName } = objectOf(item.rawParameter(templateLocator.name));
	return mode === 'list' && value === id ? textOf(cachedResultName) : '';
}

/**
 * Returns the chosen template's main ID ({@link idOf}), even if the form contains its other ID or its name. If the
 * template can't be found, returns the text from the form. Preparing the item then fails, because
 * {@link chosenTemplate} uses the same lookup.
 */
export async function chosenTemplateId(item: ItemContext): Promise<string> {
	const template = await settle(chosenTemplate(item));
	return template.ok ? idOf(template.value) : textOfChoice(item);
}

function isChosenByName(item: ItemContext): boolean {
	return item.rawParameter(`${templateLocator.name}.mode`) === byName;
}

function rulesOfChoice(item: ItemContext): TextRules {
	return isChosenByName(item)
		? textRules.chosen("Enter the template's name, or select the template from the list.")
		: textRules.chosen('Select one from the list, or enter its ID.', trimUnseen);
}

/**
 * Reads the ID or name that the template is chosen by. {@link chosenTemplate} judges its looks if there is no such
 * template.
 */
export function readTemplateChoice(item: ItemContext): string {
	const unchecked: ItemContext = { ...item, checkTyped: () => undefined };
	return readItemText(unchecked, chosenText(item, fieldOf(templateLocator)), {
		...rulesOfChoice(item),
		mistakeIn: () => undefined,
	});
}

/** Reads the ID or name without judging it, because this is also needed for items that turn out to be skipped. */
function textOfChoice(item: ItemContext): string {
	return readTemplateChoice({ ...item, judge: () => undefined });
}

/** Warns about a template with a status other than ACTIVE, the only one that was seen. */
export function warnIfInactive(item: ItemContext, template: Template): void {
	if (isActive(template)) return;
	item.judge(templateLocator.displayName, {
		severity: 'warning',
		...templateProblems.inactive(nameOf(template), item.service.redact(statusOf(template))),
	});
}

/** The start of the error about a form with names that the chosen template doesn't have. */
const otherTemplate = "The template doesn't have these fields";

/**
 * Checks the names in a form that n8n loaded for a template. If the node contains an expression that the
 * editor can't evaluate, the editor keeps the previous template's form until the node is reopened.
 * @throws InputError for a value whose name isn't in the template.
 * @n8n
 */
export function checkNames(
	item: ItemContext,
	values: Map<string, unknown>,
	{ field, knownNames }: { field: INodeProperties; knownNames: string[] },
): void {
	const namesInTemplate = new Set(knownNames);
	const unknownNames = [...values]
		.filter(([name, value]) => !namesInTemplate.has(name) && !isEmpty(value))
		.map(([name]) => name);
	if (unknownNames.length === 0) return;
	// The editor saves the labels together with the values. Read as they are saved, they can't run as
	// expressions.
	const schema = listOf(item.rawParameter(`${field.name}.schema`)).map(objectOf);
	const labels = new Map(schema.map(({ id, displayName }) => [id, textOf(displayName)]));
	throw new InputError(otherTemplate, {
		problem: shortList(
			unknownNames.map((name) => labels.get(name) || name),
			3,
		),
		remedy: remedyFor(item, field, knownNames),
	});
}

function remedyFor(item: ItemContext, { type }: INodeProperties, knownNames: string[]): string {
	// A model has no editor, and can only send other keys. An expression can only return other keys.
	const hasNoForm = type !== 'resourceMapper';
	if (hasNoForm || isTool(item.context)) {
		return `Use only these keys: ${shortList(knownNames) || 'none'}.`;
	}
	// The editor's form shows only the template of one item.
	if (isExpression(savedChoice(item, templateLocator.name))) {
		return 'Set Mapping Column Mode to Map Automatically, because the template comes from an expression, or use a node for each template.';
	}
	return knownNames.length > 0
		? "Close the node, open it again, and fill in this template's fields."
		: 'The selected template has nothing to fill in here. Close the node and open it again, or select a different template.';
}

/**
 * Throws the error of {@link checkNames} alone if a form has it, because every other mistake in the forms
 * follows from it.
 */
export function checkTemplateOfForms(forms: Array<Settled<unknown>>): void {
	for (const form of forms) {
		if (!form.ok && form.error instanceof InputError && form.error.field === otherTemplate) {
			throw form.error;
		}
	}
}
