import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { endpointPaths } from '../http/endpoints';
import { isRefusedWith } from '../http/serviceError';
import { absenceStatuses } from '../http/request';
import { settle, type Settled, valueOf } from '../util/async';
import { normalText } from '../util/names';
import { ProcessMemory } from '../util/processMemory';
import { listOf, objectOf, textOf } from '../util/values';
import { readTemplates } from './readTemplates';
import type { Template, TemplateVariable, TemplateVersion } from './types';

/**
 * The two template versions (docs/dev/service.md#versions), the newer one first. Each version has its own
 * list.
 */
const templateVersions: TemplateVersion[] = ['v2', 'v1'];

/**
 * The template lists that this process has read at least once, by account and path. Once a list has been
 * read, it can't disappear. If the service later returns 404 for it, the problem is temporary.
 */
const listsRead = new ProcessMemory<true>({
	bound: 1000,
});

/**
 * Lists one version's templates (docs/dev/service.md#list-templates-version-1, #list-templates-version-2).
 * For version 2, the service doesn't document where in the response the list is, so all plausible places are
 * tried. The list may be up to ten seconds old.
 * @throws ServiceError if the response contains no list.
 */
export async function listTemplates(
	service: ServiceClient,
	version: TemplateVersion,
): Promise<Template[]> {
	const path = endpointPaths.templates[version];
	const load = async () => {
		const account = await settle(service.account());
		// If the credential is invalid, the call below throws the error that explains why.
		const listKey = account.ok ? `${account.value.id} ${path}` : '';
		const believedStatuses = listsRead.has(listKey) ? [410] : absenceStatuses;
		const envelope = await service.call({
			purpose: 'reading',
			path,
			findList: templatesIn,
			believedStatuses,
		});
		if (listKey) listsRead.set(listKey, true);
		return readTemplates(listOf(templatesIn(envelope as IDataObject)), version, service);
	};
	return await service.lookUp(path, load);
}

function templatesIn({ responseData, templates }: IDataObject): unknown {
	return [objectOf(responseData).templates, responseData, templates].find(Array.isArray);
}

/**
 * If the service has only one version, the other list is empty. If the service seems to have neither version,
 * both results are errors.
 */
async function loadLists(service: ServiceClient): Promise<Array<Settled<Template[]>>> {
	const lists = await Promise.all(
		templateVersions.map(async (version) => await settle(listTemplates(service, version))),
	);
	const isMissing = (list: Settled<Template[]>) =>
		!list.ok && isRefusedWith(list.error, absenceStatuses);
	const emptyList: Settled<Template[]> = { ok: true, value: [] };
	return lists.every(isMissing) ? lists : lists.map((list) => (isMissing(list) ? emptyList : list));
}

/**
 * Lists the templates of both versions. A template that is clearly in both lists is returned only once, from
 * the newer version's list.
 * @throws ServiceError if an existing list could not be loaded.
 */
export async function listAllTemplates(service: ServiceClient): Promise<Template[]> {
	return withoutRepeats((await loadLists(service)).flatMap(valueOf));
}

/**
 * Finds the templates with the given ID, which can be either of a template's two IDs.
 * @returns Usually one template. Empty if no list contains the ID.
 * @throws ServiceError if a list could not be loaded. There is one exception: if the ID is the `templateID`
 * of a template in the newer list, the older list is not needed.
 */
export async function findTemplates(service: ServiceClient, id: string): Promise<Template[]> {
	const lists = await loadLists(service);
	const [newer] = lists;
	const isInNewer = newer?.ok && newer.value.some(({ templateID }) => templateID === id);
	const neededLists = isInNewer ? lists.filter(({ ok }) => ok) : lists;
	return withoutRepeats(neededLists.flatMap(valueOf)).filter((one) => hasId(one, id));
}

/** A template, and every ID by which an event may refer to it. */
export interface TemplateWithIds {
	template: Template;
	/** The template's `templateID`, followed by its `_id` in its own list and in that of the other version. */
	ids: string[];
}

/** @throws ServiceError if an existing list could not be loaded. */
export async function listTemplatesWithIds(service: ServiceClient): Promise<TemplateWithIds[]> {
	return withAllIds((await loadLists(service)).flatMap(valueOf));
}

/**
 * Finds the templates that have at least one of the given IDs. Never throws.
 * @returns The templates in the lists that could be loaded, and the reasons why a list couldn't.
 */
export async function findTemplatesWithIds(
	service: ServiceClient,
	ids: string[],
): Promise<{ found: TemplateWithIds[]; errors: unknown[] }> {
	const lists = await loadLists(service);
	const templates = withAllIds(lists.flatMap((list) => (list.ok ? list.value : [])));
	return {
		found: templates.filter((one) => ids.some((id) => one.ids.includes(id))),
		errors: lists.flatMap((list) => (list.ok ? [] : [list.error])),
	};
}

/** The form of a filter separates values at commas. */
export function textOfIds(ids: string[]): string {
	return ids.join(',');
}

/**
 * Adds to each template all of its IDs. A template in both lists can have a different `_id` in each of them,
 * so the ID that is the same in both lists shows what belongs together. If the other list contains several
 * templates with this ID, nothing shows which of them is the same template, so their `_id`s are left out.
 */
function withAllIds(templates: Template[]): TemplateWithIds[] {
	const keyOf = (version: TemplateVersion, template: Template) => `${version} ${idOf(template)}`;
	const ownIds = new Map<string, Set<string>>();
	for (const template of templates) {
		const key = keyOf(template.templateVersion, template);
		const ids = ownIds.get(key) ?? new Set();
		if (template._id) ids.add(template._id);
		ownIds.set(key, ids);
	}
	return withoutRepeats(templates).map((template) => {
		const { templateVersion, _id } = template;
		const others = ownIds.get(keyOf(templateVersion === 'v1' ? 'v2' : 'v1', template));
		const otherIds = others?.size === 1 ? [...others] : [];
		return { template, ids: [...new Set([idOf(template), ...(_id ? [_id] : []), ...otherIds])] };
	});
}

/**
 * Returns the variables to fill in when creating a document: `inputs` (v1) or `form` (v2). If several
 * variables have the same key, the service takes one value for all of them, so they are one variable here. It
 * is required if any of them is.
 */
export function variablesOf({ templateVersion, form, inputs }: Template): TemplateVariable[] {
	// A service may also send the other version's list, which is then empty.
	const variables = (templateVersion === 'v2' ? form : inputs) ?? [];
	const byKey = new Map<string, TemplateVariable>();
	for (const variable of variables) {
		const first = byKey.get(variable.key) ?? variable;
		byKey.set(variable.key, { ...first, isRequired: first.isRequired || variable.isRequired });
	}
	return [...byKey.values()];
}

/**
 * Returns a template's places to sign, in the template's order (docs/dev/service.md#template-version-2).
 * Version 1 templates don't list them.
 * @returns For each place, an ID and a label. The label is the key in words, such as "HR director" for
 * `HR_director`, in the same capitals, because only the template's author knows what is an abbreviation. No two
 * places have the same ID, because each ID stands for one person in the form. The ID is the place's key. If a
 * place has no key, or the same key as an earlier place, the ID is the place's number instead. If that number is
 * another place's key, a second number follows, as in "2-2".
 */
export function signaturePlacesOf(template: Template): Array<{ id: string; label: string }> {
	const keys = listOf(template.signatories).map((place) => textOf(objectOf(place).key).trim());
	const allKeys = new Set(keys);
	const earlierKeys = new Set(['']);
	return keys.map((key, index) => {
		const number = index + 1;
		const hasOwnKey = !earlierKeys.has(key);
		earlierKeys.add(key);
		const words = key.replaceAll(/[_\s-]+/g, ' ').trim();
		return {
			id: hasOwnKey ? key : unusedNumber(number, allKeys),
			label: (hasOwnKey && words) || `Signatory ${number}`,
		};
	});
}

function unusedNumber(number: number, keys: Set<string>): string {
	let id = String(number);
	for (let second = 2; keys.has(id); second++) id = `${number}-${second}`;
	return id;
}

/** A template's two IDs. Users may enter either ID, and a service may leave one of them out. */
interface TemplateIds {
	templateID?: string | undefined;
	_id?: string | undefined;
}

function hasId({ templateID, _id }: TemplateIds, id: string): boolean {
	return templateID === id || _id === id;
}

/** Returns the ID to send when creating a document: `templateID`, or `_id` if there is none. */
export function idOf({ templateID, _id = '' }: TemplateIds): string {
	return templateID || _id;
}

export function nameOf(template: Template): string {
	return template.name || idOf(template);
}

/** The maximum length, in characters, of a template's name in a message, and of its texts in the output of a tool. */
export const maxShownNameLength = 200;

/** Returns a template's name or, if it is too long to be shown, its ID, because a name that is cut finds nothing. */
export function findableNameOf(template: Template): string {
	const name = nameOf(template);
	return name.length > maxShownNameLength ? idOf(template) : name;
}

/** Returns a template's status in uppercase; empty if there is none. The service documents only ACTIVE. */
export function statusOf({ status }: Template): string {
	return textOf(status).trim().toUpperCase();
}

/** A template without a status counts as active. */
export function isActive(template: Template): boolean {
	return ['', 'ACTIVE'].includes(statusOf(template));
}

/**
 * Both versions may list the same template. Two templates are the same if they have the same ID, and also the same
 * name or the same `_id`.
 */
function withoutRepeats(templates: Template[]): Template[] {
	const seen = new Set<string>();
	return templates.filter((template) => {
		const id = idOf(template);
		const name = normalText(nameOf(template));
		const keys = [
			...(name ? [JSON.stringify([id, 'name', name])] : []),
			...(template._id ? [JSON.stringify([id, '_id', template._id])] : []),
		];
		const isRepeat = keys.some((key) => seen.has(key));
		for (const key of keys) seen.add(key);
		return !isRepeat;
	});
}
