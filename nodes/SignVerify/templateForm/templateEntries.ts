import type { ServiceClient } from '../account/client';
import { idOf, isActive, listTemplatesWithIds, nameOf, statusOf } from '../api/templates';
import { type Template } from '../api/types';
import type { ItemContext } from '../input/item';
import { normalName, normalText } from '../util/values';

/** A template in a list that people choose from. */
export interface TemplateEntry {
	template: Template;
	/** The entry's name, different from the names of all other entries. */
	name: string;
	/** The ID to send when creating a document. */
	id: string;
	/** Every ID by which an event may refer to the template. */
	ids: string[];
}

/**
 * Lists the templates of both versions by name, with active templates first. A name shows whether the
 * template has another status, or is a version 1 template with the same name as a version 2 template.
 * @throws ServiceError if either of the two lists cannot be loaded, because users would mistake the other
 * list for the complete one.
 */
export async function templateEntries(service: ServiceClient): Promise<TemplateEntry[]> {
	const listed = await listTemplatesWithIds(service);
	const isVersion2 = ({ templateVersion }: Template) => templateVersion === 'v2';
	const nameKeyOf = (template: Template) => normalName(nameOf(template));
	const version2Names = new Set(
		listed
			.map(({ template }) => template)
			.filter(isVersion2)
			.map(nameKeyOf),
	);
	const activeFirst = (left: Template, right: Template) =>
		Number(isActive(right)) - Number(isActive(left)) || nameOf(left).localeCompare(nameOf(right));
	const entryName = (template: Template) => {
		const words = [nameOf(template)];
		const sharesName = version2Names.has(nameKeyOf(template));
		if (!isVersion2(template) && sharesName) words.push('(version 1)');
		// ACTIVE is the only status that was seen, so show any other word as the service sent it.
		if (!isActive(template)) words.push(`(status ${service.redact(statusOf(template))})`);
		if (template.description) words.push(`– ${template.description}`);
		return words.join(' ');
	};
	const entries = listed
		.sort((left, right) => activeFirst(left.template, right.template))
		.map(({ template, ids }) => ({ template, name: entryName(template), id: idOf(template), ids }));
	return withDistinctNames(entries);
}

/** Returns {@link templateEntries}, which are loaded once for all of a run's items. */
export async function entriesOfRun(item: ItemContext): Promise<TemplateEntry[]> {
	return await item.remember('entries', async () => await templateEntries(item.service));
}

/**
 * Returns the entries with the given name, as shown in the list. If there are none, returns those whose
 * template has this name.
 */
export function entriesNamed(entries: TemplateEntry[], name: string): TemplateEntry[] {
	const isName = (other: string) => normalText(other).trim() === normalText(name).trim();
	const shown = entries.filter((entry) => isName(entry.name));
	return shown.length > 0 ? shown : entries.filter(({ template }) => isName(nameOf(template)));
}

/**
 * If several entries have the same name, appends the end of each one's ID, long enough to tell them apart.
 */
export function withDistinctNames<Entry extends Pick<TemplateEntry, 'name' | 'id'>>(
	entries: Entry[],
): Entry[] {
	const idsByName = new Map<string, string[]>();
	for (const { name, id } of entries) {
		const ids = idsByName.get(normalName(name)) ?? [];
		ids.push(id);
		idsByName.set(normalName(name), ids);
	}
	const lengthByName = new Map<string, number>();
	for (const [name, ids] of idsByName) {
		if (ids.length > 1) lengthByName.set(name, lengthOfDistinctEnds(ids));
	}
	return entries.map((entry) => {
		const length = lengthByName.get(normalName(entry.name));
		if (length === undefined) return entry;
		const end = entry.id.slice(-length);
		return { ...entry, name: `${entry.name} (ID ${end === entry.id ? '' : '…'}${end})` };
	});
}

/**
 * Returns how many trailing characters are enough to tell all the IDs apart. Infinity means the entire ID.
 */
function lengthOfDistinctEnds(ids: string[]): number {
	const areDistinct = (length: number) =>
		new Set(ids.map((id) => id.slice(-length))).size === ids.length;
	return [6, 10, 16].find(areDistinct) ?? Infinity;
}
