import type { TemplateV1, TemplateV2 } from '../schemas';
import type { SandboxTemplate, TemplateField } from '../state/records';
import type { Store } from '../state/store';
import { derivedId } from '../util/ids';
import type { TemplateImport } from '../types';
import { maxTemplates, readTemplateList, templateKey } from './templateImport';

/** A sandbox's built-in and imported templates. */
export class Templates {
	private readonly own: Map<string, SandboxTemplate>;
	/** The cached lists of templates, one for each version. An import clears them. */
	private asV1: TemplateV1[] | undefined;
	private asV2: TemplateV2[] | undefined;

	constructor(
		own: SandboxTemplate[],
		private readonly store: Pick<Store, 'templates'>,
	) {
		this.own = new Map(own.map((template) => [templateKey(template), template]));
	}

	get size(): number {
		return this.own.size + this.store.templates.size;
	}

	/**
	 * Returns all templates. Imported ones come first, because users are usually looking for their own
	 * templates.
	 */
	all(): SandboxTemplate[] {
		return [...this.store.templates.all(), ...this.own.values()];
	}

	get(version: SandboxTemplate['version'], templateID: string): SandboxTemplate | undefined {
		const key = templateKey({ version, templateID });
		return this.own.get(key) ?? this.store.templates.get(key);
	}

	isImported(template: SandboxTemplate): boolean {
		return !this.own.has(templateKey(template));
	}

	/**
	 * Imports templates from a list, replacing earlier imports with the same ID and version.
	 * @param json The raw output of the Get many templates action.
	 * @throws TemplateImportRefusal if the text is not a list of templates.
	 */
	import(json: string): TemplateImport {
		const { templates } = this.store;
		const list = readTemplateList(json, new Set(this.own.keys()));
		const outcome: TemplateImport = { taken: [], replaced: [], refused: list.refused };
		for (const template of list.taken) {
			const { name: title } = template;
			const key = templateKey(template);
			const isKnown = templates.get(key) !== undefined;
			if (!isKnown && templates.size >= maxTemplates) {
				const reason = `The sandbox stores up to ${maxTemplates} imported templates, and this limit has been reached.`;
				outcome.refused.push({ title, reason });
				continue;
			}
			templates.put(key, template);
			outcome.taken.push(template);
			if (isKnown) outcome.replaced.push(template);
		}
		this.asV1 = undefined;
		this.asV2 = undefined;
		return outcome;
	}

	/** Returns the templates that `GET /templates` lists. */
	listV1(userID: string): TemplateV1[] {
		this.asV1 ??= this.of('v1').map(({ templateID, id, name, description, fields }) => ({
			_id: id ?? derivedId(templateID),
			templateID,
			userID,
			name,
			description,
			inputs: fields.map(({ key, type, isRequired, label }) => ({ key, type, isRequired, label })),
		}));
		return this.asV1;
	}

	/** Returns the templates that `GET /templates/v2` lists. */
	listV2(): TemplateV2[] {
		this.asV2 ??= this.of('v2').map(
			({ templateID, id, name, description, key, status, ...rest }) => ({
				_id: id ?? derivedId(templateID),
				templateID,
				name,
				description,
				key,
				status,
				signatories: rest.signaturePlaces.map((place) => ({
					key: place.key,
					type: 'signature',
					_id: derivedId(templateID, 'slot', place.key),
				})),
				form: rest.fields.map((field) => withId(field, templateID, 'form')),
				formSignatory: rest.questions.map((field) => withId(field, templateID, 'question')),
			}),
		);
		return this.asV2;
	}

	private of(version: SandboxTemplate['version']): SandboxTemplate[] {
		return this.all().filter((template) => template.version === version);
	}
}

/**
 * Converts a field to the shape that the list of version 2 templates uses. The field's `_id` is the same in
 * every response, even after a restart.
 */
export function withId({ key, type, isRequired, label }: TemplateField, ...parents: string[]) {
	return { key, type, isRequired, label, _id: derivedId(...parents, key) };
}
