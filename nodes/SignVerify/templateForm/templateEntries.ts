import type { ServiceClient } from '../account/client';
import {
	idOf,
	isActive,
	listTemplatesWithIds,
	nameOf,
	findableNameOf,
	statusOf,
} from '../api/templates';
import type { Template } from '../api/types';
import type { ItemContext } from '../item/item';
import { normalName, withoutApostrophes } from '../util/names';
import { normalForm } from '../util/text';
import { textOf } from '../util/values';

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
	const nameKeyOf = (template: Template) => comparedTemplateName(nameOf(template));
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
	return withDistinctNames(entries, everyNameOf);
}

/** Returns {@link templateEntries}, which are loaded once for all of a run's items. */
export async function entriesOfRun(item: ItemContext): Promise<TemplateEntry[]> {
	return await item.remember('entries', async () => await templateEntries(item.service));
}

/**
 * Everything that people and models may call an entry: its name in the list, its template's own name, what is shown
 * instead of it, and the template's key.
 */
function everyNameOf({ template, name }: TemplateEntry): string[] {
	return [name, nameOf(template), findableNameOf(template), textOf(template.key)].filter(Boolean);
}

/** The form in which names are compared. One of nothing but apostrophes keeps them, because nothing else is left. */
function comparedTemplateName(name: string): string {
	return normalName(withoutApostrophes(name)) || normalName(name);
}

/**
 * Returns the entry with the given name or key ({@link everyNameOf}), whatever its case and apostrophes. Of several, the
 * one is meant whose name is written exactly so, and of equal names the active one, but no inactive one beside an active
 * one.
 * @returns All of them if it isn't clear which one is meant.
 */
export function entriesNamed(entries: TemplateEntry[], name: string): TemplateEntry[] {
	const wanted = comparedTemplateName(name);
	const found = entries.filter((entry) =>
		everyNameOf(entry).map(comparedTemplateName).includes(wanted),
	);
	const activeOf = (some: TemplateEntry[]) => some.filter(({ template }) => isActive(template));
	const written = (text: string) => normalForm(text.trim(), 'NFC');
	const exact = found.filter((entry) =>
		[entry.name, nameOf(entry.template)].map(written).includes(written(name)),
	);
	const meant = exact.length === 1 && activeOf(found).length === 0 ? exact : activeOf(exact);
	return meant.length === 1 ? meant : found;
}

/**
 * If an entry's name is also a name of another entry, appends the end of the entry's ID, long enough to tell them
 * apart.
 * @param namesOfEntry Returns an entry's names, including the one that is shown.
 */
export function withDistinctNames<Entry extends Pick<TemplateEntry, 'name' | 'id'>>(
	entries: Entry[],
	namesOfEntry = ({ name }: Entry) => [name],
): Entry[] {
	const idsByName = new Map<string, string[]>();
	for (const entry of entries) {
		for (const name of new Set(namesOfEntry(entry).map(comparedTemplateName))) {
			const ids = idsByName.get(name) ?? [];
			ids.push(entry.id);
			idsByName.set(name, ids);
		}
	}
	const lengthByName = new Map<string, number>();
	for (const [name, ids] of idsByName) {
		if (ids.length > 1) lengthByName.set(name, lengthOfDistinctEnds(ids));
	}
	return entries.map((entry) => {
		const length = lengthByName.get(comparedTemplateName(entry.name));
		if (length === undefined) return entry;
		const end = entry.id.slice(-length);
		return { ...entry, name: `${entry.name} (ID ${end === entry.id ? '' : '…'}${end})` };
	});
}

/** @returns Infinity for the entire ID. */
function lengthOfDistinctEnds(ids: string[]): number {
	const areDistinct = (length: number) =>
		new Set(ids.map((id) => comparedTemplateName(id.slice(-length)))).size === ids.length;
	return [6, 10, 16].find(areDistinct) ?? Infinity;
}
