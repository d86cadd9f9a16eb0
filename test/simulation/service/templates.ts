import type { TemplateV1, TemplateV2, TemplateVariable } from '../../../nodes/SignVerify/api/types';
import type { Outcome } from './answers';
import { userId } from './tokens';
import type { ServiceVariants } from './variants';

const name: TemplateVariable = { key: 'name', type: 'text', isRequired: true, label: 'Name' };
const role: TemplateVariable = { key: 'role', type: 'text', isRequired: false, label: 'Role' };

function ofV2(id: string, title: string, slots: string[], status = 'ACTIVE'): TemplateV2 {
	const withId = (each: TemplateVariable) => ({ ...each, _id: `${id}${each.key}` });
	return {
		_id: `${id}0`,
		templateID: id,
		name: title,
		description: '',
		key: title.toLowerCase(),
		status,
		signatories: slots.map((key) => ({ key, type: 'signature', _id: `${id}${key}` })),
		form: [withId(name), withId(role)],
		formSignatory: [],
	};
}

/** The account's templates of version 2. */
export const templatesV2: readonly TemplateV2[] = [
	ofV2('65f1c0de00000000000000a1', 'Contract', ['employee']),
	ofV2('65f1c0de00000000000000a2', 'Agreement', ['first', 'second']),
	ofV2('65f1c0de00000000000000a3', 'Former contract', ['employee'], 'INACTIVE'),
];

/** The account's templates of version 1. */
export const templatesV1: readonly TemplateV1[] = ['65f1c0de00000000000000b1'].map((id) => ({
	_id: `${id}0`,
	templateID: id,
	userID: userId,
	name: 'Lease',
	description: '',
	inputs: [name, role],
}));

/**
 * The lists of templates (docs/dev/service.md#list-templates-version-1, #list-templates-version-2);
 * that of version 1 is documented.
 */
export function listTemplates(version: 'v1' | 'v2', variants: ServiceVariants): Outcome {
	if (version === 'v1') return { data: { templates: templatesV1 } };
	switch (variants.templates) {
		case 'inData':
			return { data: { templates: templatesV2 } };
		case 'top':
			return { raw: { templates: templatesV2, success: true, responseCode: 200 } };
		case 'data':
			return { data: templatesV2 };
	}
}

/** A template that documents can be made from; its name and its variables. */
export interface UsableTemplate {
	name: string;
	variables: TemplateVariable[];
}

/** The template that a creation names; in words what is wrong with it. */
export function usableTemplate(version: 'v1' | 'v2', id: string): UsableTemplate | string {
	if (version === 'v1') {
		const found = templatesV1.find((each) => each.templateID === id);
		return found ? { name: found.name, variables: found.inputs } : 'Template not found';
	}
	const found = templatesV2.find((each) => each.templateID === id);
	if (!found) return 'Template not found';
	if (found.status !== 'ACTIVE') return 'Template is not active';
	return { name: found.name, variables: found.form };
}
