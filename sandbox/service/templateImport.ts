import type { Block, SandboxTemplate, TemplateField } from '../state/records';
import type { RefusedTemplate, TemplateImport } from '../types';
import { PageRefusal } from './refusal';

export const maxImportBytes = 5_000_000;

/** The maximum number of imported templates in a sandbox, and therefore of entries in a list. */
export const maxTemplates = 1000;

/** The maximum number of fields, questions or roles in a template. */
const maxFields = 200;

/** The maximum lengths, in characters, of a description and of any other string. */
const maxDescription = 5000;
const maxText = 500;

/** The maximum number of lists, items and responses that can be nested around a template. */
const maxDepth = 6;

/** These keys have a special meaning in JavaScript, so a value stored under one of them could be lost. */
const inherited = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns the key of a template. A service can have a template of each version with the same ID. */
export function templateKey({
	version,
	templateID,
}: Pick<SandboxTemplate, 'version' | 'templateID'>): string {
	return version === 'v1' ? `v1/${templateID}` : templateID;
}

/** Thrown if the list of templates cannot be read. The message names the next step. */
export class TemplateImportRefusal extends PageRefusal {}

/**
 * Reads the raw output of the Get many templates action, as copied or downloaded from n8n. The input can be a list of
 * templates, a list of items with `json`, or a response from the service (`templates`, `responseData`).
 * @param json The text to read. Its size is checked first, because the text is untrusted.
 * @param known The keys of templates that an import must not replace.
 * @throws TemplateImportRefusal if the text is not JSON, is too large, or contains no template or too many
 * entries.
 */
export function readTemplateList(
	json: string,
	known: ReadonlySet<string>,
): Pick<TemplateImport, 'taken' | 'refused'> {
	const entries: unknown[] = [];
	collectTemplates(parsed(json), 0, entries);
	if (entries.length === 0) {
		throw new TemplateImportRefusal(
			'This JSON doesn’t contain any templates. Execute the Get many templates action with Output set to Raw, and use the whole output.',
		);
	}
	if (entries.length > maxTemplates) {
		throw new TemplateImportRefusal(
			`The list has more than ${maxTemplates} entries, which is the maximum number of imported templates. Import fewer templates at a time.`,
		);
	}
	const taken = new Map<string, SandboxTemplate>();
	const refused: RefusedTemplate[] = [];
	entries.forEach((entry, index) => {
		try {
			const template = readTemplate(entry);
			const key = templateKey(template);
			if (known.has(key))
				refuse(
					'One of the sandbox’s own templates already has this ID. It can’t be replaced, so remove this entry from the list.',
				);
			if (taken.has(key)) refuse('Another template in the list has the same ID and version.');
			taken.set(key, template);
		} catch (error) {
			if (!(error instanceof EntryRefusal)) throw error;
			refused.push({ title: titleOf(entry, index), reason: error.message });
		}
	});
	return { taken: [...taken.values()], refused };
}

/** Thrown if one entry cannot be imported. The other entries are not affected. */
class EntryRefusal extends Error {}

function refuse(reason: string): never {
	throw new EntryRefusal(reason);
}

function parsed(json: string): unknown {
	if (Buffer.byteLength(json) > maxImportBytes) {
		throw new TemplateImportRefusal(
			`The list is larger than ${maxImportBytes / 1_000_000} MB. Import fewer templates at a time.`,
		);
	}
	try {
		// Files from Windows can begin with a byte order mark, which is not valid JSON.
		return JSON.parse(json.replace(/^\ufeff/, '')) as unknown;
	} catch {
		throw new TemplateImportRefusal(
			'This isn’t JSON. In n8n, open the output of the Get many templates action as JSON, and copy or download all of it.',
		);
	}
}

type Entry = Record<string, unknown>;

function isEntry(value: unknown): value is Entry {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Collects the entries from the lists, items and responses that contain them. Stops after
 * {@link maxTemplates} and one more.
 */
function collectTemplates(value: unknown, depth: number, entries: unknown[]): void {
	if (depth > maxDepth || entries.length > maxTemplates) return;
	if (Array.isArray(value)) {
		for (const one of value) collectTemplates(one, depth + 1, entries);
		return;
	}
	if (!isEntry(value)) {
		entries.push(value);
		return;
	}
	const inner = ['json', 'responseData', 'templates'].find(
		(name) => Object.hasOwn(value, name) && typeof value[name] === 'object' && value[name],
	);
	if (inner === undefined) entries.push(value);
	else collectTemplates(value[inner], depth + 1, entries);
}

function titleOf(entry: unknown, index: number): string {
	const { name, templateID, templateId, _id } = isEntry(entry) ? entry : {};
	const title = [name, templateID, templateId, _id].find((one) => typeof one === 'string' && one);
	return typeof title === 'string' ? title.slice(0, maxText) : `Entry ${index + 1}`;
}

function readTemplate(entry: unknown): SandboxTemplate {
	if (!isEntry(entry))
		return refuse(
			'This entry isn’t a template. Use the whole output of the Get many templates action.',
		);
	const id = textIn(entry, '_id');
	const templateID = textIn(entry, 'templateID') || id;
	if (!templateID && entry.templateId !== undefined) {
		refuse(
			'This is simplified output. Set Output to Raw in the Get many templates action, and execute the node again.',
		);
	}
	if (!templateID) refuse('The template doesn’t have an ID (templateID or _id).');
	const version = versionOf(entry);
	const isV1 = version === 'v1';
	if (!version) {
		return refuse(
			'The template doesn’t contain any fields or roles. Set Output to Raw in the Get many templates action, and use the whole output.',
		);
	}
	const fields = readFields(entry, isV1 ? 'inputs' : 'form');
	return {
		version,
		templateID,
		...(id ? { id } : {}),
		name: textIn(entry, 'name') || templateID,
		description: textIn(entry, 'description', maxDescription),
		key: isV1 ? '' : textIn(entry, 'key'),
		status: isV1 ? '' : textIn(entry, 'status'),
		fields,
		questions: isV1 ? [] : readFields(entry, 'formSignatory'),
		signaturePlaces: isV1 ? [] : readSignaturePlaces(entry),
		body: bodyOf(fields),
	};
}

/**
 * Returns the version whose lists an entry has. A service may also send the other version's lists, which are
 * then null or empty.
 */
function versionOf(entry: Entry): SandboxTemplate['version'] | undefined {
	const lists = { v2: [entry.form, entry.signatories], v1: [entry.inputs] };
	const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;
	const versions = ['v2', 'v1'] as const;
	return (
		versions.find((version) => lists[version].some(isFilled)) ??
		versions.find((version) => lists[version].some(Array.isArray))
	);
}

/**
 * Reads a string from an entry. A number is converted to a string. Anything else, including a missing value,
 * becomes ''.
 */
function textIn(entry: Entry, name: string, limit = maxText): string {
	const value = Object.hasOwn(entry, name) ? entry[name] : '';
	const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
	if (text.length > limit) refuse(`The value of ${name} is longer than ${limit} characters.`);
	return text.trim();
}

/** Reads a key as it is, because the nodes send it as it is. */
function keyIn(entry: Entry): string {
	const text = textIn(entry, 'key');
	return typeof entry.key === 'string' ? entry.key : text;
}

function listIn(entry: Entry, name: string): unknown[] {
	const list = Object.hasOwn(entry, name) ? entry[name] : undefined;
	if (list === undefined || list === null) return [];
	if (!Array.isArray(list)) return refuse(`The value of ${name} isn’t a list.`);
	if (list.length > maxFields) refuse(`The ${name} list has more than ${maxFields} entries.`);
	return list as unknown[];
}

function readFields(entry: Entry, name: string): TemplateField[] {
	return listIn(entry, name).map((field, index) => {
		const at = isEntry(field) ? field : {};
		const key = keyIn(at);
		if (!key.trim()) refuse(`Entry ${index + 1} in ${name} doesn’t have a key.`);
		if (inherited.has(key))
			refuse(`The ${name} list contains the key ${key}, which the sandbox can’t store.`);
		return {
			key,
			type: textIn(at, 'type') || 'text',
			isRequired: [true, 1, 'true', '1'].includes(at.isRequired as boolean | number | string),
			label: textIn(at, 'label') || key,
		};
	});
}

function readSignaturePlaces(entry: Entry): SandboxTemplate['signaturePlaces'] {
	return listIn(entry, 'signatories').map((place, index) => {
		const key = isEntry(place) ? keyIn(place) : '';
		const label = key.replace(/[_\s-]+/g, ' ').trim();
		return { key, label: label || `Signatory ${index + 1}` };
	});
}

/**
 * Creates a text for the document, with one line for each field. It replaces the template's real text, which
 * the list does not contain.
 */
function bodyOf(fields: TemplateField[]): Block[] {
	return [
		{
			kind: 'paragraph',
			text: 'This template’s text exists only in your provider’s account. For this rehearsal, the document lists the values that the workflow filled in.',
		},
		...fields.map(({ key, label }): Block => ({ kind: 'field', key, label })),
	];
}
