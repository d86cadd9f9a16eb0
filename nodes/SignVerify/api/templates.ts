import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { isRefusedForGood, isRefusedWith } from '../http/errors';
import { absenceStatuses } from '../http/request';
import { settle, type Settled, valueOf } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { listOf, normalText, objectOf, textOf } from '../util/values';
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
	life: 'until pushed out',
});

/**
 * Lists one version's templates (docs/dev/service.md#list-templates-version-1, #list-templates-version-2).
 * For version 2, the service doesn't document where in the response the list is, so all plausible places are
 * tried. The list may be up to ten seconds old.
 * @param select Selects the part of the list to return. Keep this part small, because every caller gets its
 * own copy, and hundreds of events can arrive at the same time.
 * @throws ServiceError if the response contains no list.
 */
export async function listTemplates<Part = Template[]>(
	service: ServiceClient,
	version: TemplateVersion,
	select: (templates: Template[]) => Part = (templates) => templates as Part,
): Promise<Part> {
	const path = version === 'v2' ? '/templates/v2' : '/templates';
	const load = async () => {
		const account = await settle(service.account());
		// If the credential is invalid, the call below throws the error that explains why.
		const listKey = account.ok ? `${account.value.id} ${path}` : '';
		const believedStatuses = listsRead.has(listKey) ? [410] : absenceStatuses;
		const envelope = await service.call({
			kind: 'reading',
			path,
			findList: templatesIn,
			believedStatuses,
		});
		if (listKey) listsRead.set(listKey, true);
		return readTemplates(listOf(templatesIn(envelope as IDataObject)), version, service);
	};
	return await service.lookUp(path, load, select, isMissingForCertain);
}

/**
 * Whether the service itself reports that it doesn't have a list. Many services have a list for only one
 * version.
 */
function isMissingForCertain(error: unknown): boolean {
	return isRefusedWith(error, absenceStatuses) && error.isInEnvelope;
}

function templatesIn({ responseData, templates }: IDataObject): unknown {
	return [objectOf(responseData).templates, responseData, templates].find(Array.isArray);
}

/**
 * Loads the lists of both versions. Each result is a list or a failure. If the service has only one version,
 * the other list is empty.
 */
async function loadLists(service: ServiceClient): Promise<Array<Settled<Template[]>>> {
	const load = async (version: TemplateVersion) => await listTemplates(service, version);
	return withoutMissing(await settleBoth(load), { mustBeInEnvelope: false });
}

async function settleBoth<Entry>(
	load: (version: TemplateVersion) => Promise<Entry[]>,
): Promise<Array<Settled<Entry[]>>> {
	return await Promise.all(templateVersions.map(async (version) => await settle(load(version))));
}

/**
 * Replaces a failure with an empty list if it means that the service doesn't have that template version. If
 * the service seems to have neither version, returns both failures unchanged.
 * @param options If `mustBeInEnvelope` is true, a version is treated as missing only if the response has the
 * service's own envelope, because any other 404 may come from a gateway.
 */
function withoutMissing<Entry>(
	lists: Array<Settled<Entry[]>>,
	{ mustBeInEnvelope }: { mustBeInEnvelope: boolean },
): Array<Settled<Entry[]>> {
	const isMissing = (list: Settled<Entry[]>) =>
		!list.ok &&
		(mustBeInEnvelope
			? isMissingForCertain(list.error)
			: isRefusedWith(list.error, absenceStatuses));
	const emptyList: Settled<Entry[]> = { ok: true, value: [] };
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

/**
 * Whether an ID refers to the same template as at least one of the other IDs. The IDs can differ, because
 * each template has two of them. A match in either list is enough.
 * @throws ServiceError if there is no match and a list could not be loaded. If neither list could be loaded,
 * a failure that may be temporary takes precedence over a permanent rejection.
 */
export async function isSameTemplateAsOneOf(
	service: ServiceClient,
	id: string,
	others: string[],
): Promise<boolean> {
	const ids = [id, ...others];
	const loaded = await settleBoth(
		async (version) =>
			await listTemplates(service, version, (templates): TemplateIds[] =>
				templates
					.filter((template) => ids.some((oneId) => hasId(template, oneId)))
					.map(({ templateID, _id }) => ({ templateID, _id })),
			),
	);
	const templates = loaded.flatMap((list) => (list.ok ? list.value : []));
	// A template in both lists can have a different `_id` in each of them, so compare the ID that is the same
	// in both lists.
	const mainIds = new Set(templates.filter((one) => hasId(one, id)).map(idOf));
	const isSame = (one: TemplateIds) =>
		mainIds.has(idOf(one)) && others.some((other) => hasId(one, other));
	if (templates.some(isSame)) return true;
	// Treat a list as missing only if the service itself reports this. A gateway may temporarily report the
	// same thing. If we believed the gateway, the trigger would exclude the event, and the event would be
	// lost.
	const lists = withoutMissing(loaded, { mustBeInEnvelope: true });
	const failures = lists.filter((list) => !list.ok);
	const failure = failures.find(({ error }) => !isRefusedForGood(error)) ?? failures[0];
	if (failure) throw failure.error;
	return false;
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
 * @returns For each place, an ID and a label, such as "Employer" for the key `employer`. No two places have
 * the same ID, because each ID stands for one person in the form. The ID is the place's key. If a place has
 * no key, or the same key as an earlier place, the ID is the place's number instead. If that number is
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
			label: hasOwnKey && words ? words[0]?.toUpperCase() + words.slice(1) : `Signatory ${number}`,
		};
	});
}

/** Returns a place's number, with a second number appended if a key is equal to the first. */
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

/** Whether either of a template's two IDs equals the given ID. */
function hasId({ templateID, _id }: TemplateIds, id: string): boolean {
	return templateID === id || _id === id;
}

/** Returns the ID to send when creating a document: `templateID`, or `_id` if there is none. */
export function idOf({ templateID, _id = '' }: TemplateIds): string {
	return templateID || _id;
}

/** Returns a template's name, or its ID if it has no name. */
export function nameOf(template: Template): string {
	return template.name || idOf(template);
}

/** Returns a template's status in uppercase; empty if there is none. The service documents only ACTIVE. */
export function statusOf({ status }: Template): string {
	return textOf(status).trim().toUpperCase();
}

/** The statuses (in uppercase) of templates that a service is certain to reject. */
const inactiveStatuses = ['DRAFT', 'INACTIVE', 'DISABLED', 'ARCHIVED', 'DELETED'];

/**
 * Whether a template can be used to create documents. A template without a status is treated as active. A
 * status is unknown unless it's ACTIVE or one of the inactive statuses above.
 */
export function activityOf(template: Template): 'active' | 'inactive' | 'unknown' {
	const status = statusOf(template);
	if (['', 'ACTIVE'].includes(status)) return 'active';
	return inactiveStatuses.includes(status) ? 'inactive' : 'unknown';
}

/** Finds the template with an ID; undefined if no template has the ID, or if several do. */
export function onlyTemplateWith<Ids extends TemplateIds>(
	id: string,
	templates: Ids[],
): Ids | undefined {
	const [only, ...others] = templates.filter((one) => hasId(one, id));
	return others.length > 0 ? undefined : only;
}

/**
 * Removes duplicate templates and keeps the first of each. For example, both versions may list the same
 * template. Two templates are duplicates if they have the same ID, and also the same name or the same `_id`.
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
