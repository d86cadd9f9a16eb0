import type { TemplateV1, TemplateV2 } from '../schemas';
import type { SandboxTemplate, TemplateField } from '../state/records';
import { derivedId } from '../util/ids';

/** The templates of a sandbox, by generation and id. */
export class Templates {
	private readonly byId: Map<string, SandboxTemplate>;
	/** Made once: templates do not change. */
	private asV1: TemplateV1[] | undefined;
	private asV2: TemplateV2[] | undefined;

	constructor(templates: SandboxTemplate[]) {
		this.byId = new Map(templates.map((template) => [template.templateID, template]));
	}

	get size(): number {
		return this.byId.size;
	}

	all(): SandboxTemplate[] {
		return [...this.byId.values()];
	}

	get(templateID: string): SandboxTemplate | undefined {
		return this.byId.get(templateID);
	}

	/** Entries of `GET /templates`. */
	listV1(userID: string): TemplateV1[] {
		this.asV1 ??= this.of('v1').map(({ templateID, name, description, fields }) => ({
			_id: derivedId(templateID),
			templateID,
			userID,
			name,
			description,
			inputs: fields.map(({ key, type, isRequired, label }) => ({ key, type, isRequired, label })),
		}));
		return this.asV1;
	}

	/** Entries of `GET /templates/v2`. */
	listV2(): TemplateV2[] {
		this.asV2 ??= this.of('v2').map(({ templateID, name, description, key, status, ...rest }) => ({
			_id: derivedId(templateID),
			templateID,
			name,
			description,
			key,
			status,
			signatories: rest.slots.map((slot) => ({
				key: slot.key,
				type: 'signature',
				_id: derivedId(templateID, 'slot', slot.key),
			})),
			form: rest.fields.map((field) => withId(field, templateID, 'form')),
			formSignatory: rest.questions.map((field) => withId(field, templateID, 'question')),
		}));
		return this.asV2;
	}

	private of(generation: SandboxTemplate['generation']): SandboxTemplate[] {
		return this.all().filter((template) => template.generation === generation);
	}
}

/** A field as version 2 lists it; its `_id` is the same at every call and every start. */
export function withId({ key, type, isRequired, label }: TemplateField, ...parents: string[]) {
	return { key, type, isRequired, label, _id: derivedId(...parents, key) };
}
