import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import { settle } from '../util/async';
import { firstText, isObject, isTrue, listOf, objectOf, textOf } from '../util/values';
import type { Template, TemplateVariable, TemplateVersion } from './types';

export type { Template, TemplateVersion } from './types';

/** Both, in the order in which a template is looked up. */
export const templateVersions: TemplateVersion[] = ['v2', 'v1'];

/**
 * Lists the templates of a generation (docs/dev/service.md#list-templates-version-1,
 * #list-templates-version-2). The place of the list in the answer is not documented for version 2, so
 * all plausible places are tried. A list is at most ten seconds old.
 * @throws ServiceError if there is no list in the answer.
 */
export async function listTemplates(
	service: ServiceClient,
	version: TemplateVersion,
): Promise<Template[]> {
	const path = version === 'v2' ? '/templates/v2' : '/templates';
	return await service.lookUp(path, async () => {
		const envelope = await service.call({ method: 'GET', path, listOf: templatesIn });
		return readList(listOf(templatesIn(envelope as IDataObject)), version, service);
	});
}

function templatesIn({ responseData, templates }: IDataObject): unknown {
	return [objectOf(responseData).templates, responseData, templates].find(Array.isArray);
}

/** Statuses of an answer that mean that the service does not have this generation. */
const noSuchList = [404, 405];

function isMissing(error: unknown): boolean {
	return error instanceof ServiceError && noSuchList.includes(error.answered ?? 0);
}

/**
 * Lists the templates of several generations. One that is in both lists is of the first.
 * @param mayFail Whether it is enough that one list has templates, whatever happened to the other one. A
 * generation that the service does not have is always left out.
 * @throws ServiceError for another failure, and if no list could be loaded.
 */
export async function listAllTemplates(
	service: ServiceClient,
	{ versions = templateVersions, mayFail = false } = {},
): Promise<Template[]> {
	const lists = await Promise.all(
		versions.map(async (version) => await settle(listTemplates(service, version))),
	);
	const isLoaded = lists.some((list) => list.ok);
	const isEnough = mayFail && lists.some((list) => list.ok && list.value.length > 0);
	for (const list of lists) {
		if (!list.ok && !isEnough && !(isLoaded && isMissing(list.error))) throw list.error;
	}
	const [first = [], second = []] = lists.map((list) => (list.ok ? list.value : []));
	const known = new Set(first.map(idOf));
	return [...first, ...second.filter((each) => !known.has(idOf(each)))];
}

/**
 * Looks a template up by its ID, first in version 2. The other list is loaded only if it is not there.
 * @returns undefined if it is in no list.
 * @throws ServiceError if a list could not be loaded. It is no failure if the service has one generation
 * only.
 */
export async function findTemplate(
	service: ServiceClient,
	id: string,
): Promise<Template | undefined> {
	const missing: unknown[] = [];
	for (const version of templateVersions) {
		const list = await settle(listTemplates(service, version));
		if (!list.ok && !isMissing(list.error)) throw list.error;
		if (!list.ok) missing.push(list.error);
		const found =
			list.ok && list.value.find(({ templateID, _id }) => templateID === id || _id === id);
		if (found) return found;
	}
	if (missing.length === templateVersions.length) throw missing[0];
	return undefined;
}

/** The fields of both generations that are texts. */
const texts = ['_id', 'templateID', 'userID', 'name', 'description', 'key', 'status'];

/**
 * Makes templates whole, here for all who use them: what should be a text is one, and empty if the
 * service gives something else. Templates without an ID and variables without a key cannot be used, so
 * they are left out, and n8n's log has their number.
 */
function readList(
	list: unknown[],
	templateVersion: TemplateVersion,
	service: ServiceClient,
): Template[] {
	let leftOut = 0;
	const having = (entries: unknown[], keyOf: (entry: IDataObject) => string): IDataObject[] => {
		const kept = entries.filter(isObject).filter((entry) => keyOf(entry) !== '');
		leftOut += entries.length - kept.length;
		return kept;
	};
	const readVariables = (entries: unknown): IDataObject[] =>
		having(listOf(entries), ({ key }) => textOf(key)).map((each) => ({
			...each,
			key: textOf(each.key),
			label: textOf(each.label),
			isRequired: isTrue(each.isRequired),
		}));

	const templates = having(list, ({ templateID, _id }) => firstText(templateID, _id) ?? '').map(
		(each) => {
			const read = Object.entries(each).map(([name, value]) => {
				if (texts.includes(name)) return [name, textOf(value)];
				return [name, name === 'form' || name === 'inputs' ? readVariables(value) : value];
			});
			return { ...Object.fromEntries(read), templateVersion } as Template;
		},
	);
	if (leftOut > 0) {
		service.logger.warn(
			`SignVerify: ${leftOut} templates or fields were left out, because they have no ID or key`,
		);
	}
	return templates;
}

/** The variables to fill when a document is created: `inputs` (v1) or `form` (v2). */
export function variablesOf(template: Template): TemplateVariable[] {
	return template.form ?? template.inputs ?? [];
}

/** A place to sign in a template (docs/dev/service.md#template-version-2). */
interface SignatureSlot {
	/** Unique among the places of the template. */
	id: string;
	/** For people: "Employer" for the key `employer`. */
	label: string;
}

/** The places to sign of a template, in its order. Version 1 does not list them. */
export function slotsOf(template: Template): SignatureSlot[] {
	const keys = listOf(template.signatories).map((slot) => textOf(objectOf(slot).key).trim());
	const all = new Set(keys);
	const seen = new Set(['']);
	return keys.map((key, index) => {
		const isOwn = !seen.has(key);
		seen.add(key);
		let number = String(index + 1);
		while (all.has(number)) number = `#${number}`;
		const words = key.replaceAll(/[_\s-]+/g, ' ').trim();
		return {
			id: isOwn ? key : number,
			label: isOwn && words ? words[0]?.toUpperCase() + words.slice(1) : `Signatory ${index + 1}`,
		};
	});
}

/** What a template is called; its ID if it has no name. */
export function nameOf(template: Template): string {
	return template.name || idOf(template);
}

/** The ID that the creating calls need. */
export function idOf(template: Template): string {
	return template.templateID || template._id;
}
