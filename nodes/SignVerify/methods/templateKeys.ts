import type { INodePropertyOptions, ResourceMapperField } from 'n8n-workflow';

import { forEditor } from './forEditor';
import { fieldsFormOf, peopleFormOf, templateOfEditor } from './resourceMapping';

/**
 * Loads lists that no field of the form shows. n8n's AI builders can ask for them, but they can't load a
 * mapped form.
 */
export const templateKeyOptions = forEditor({
	/**
	 * Lists the keys of the chosen template's fields and people, with the parameter that each key belongs to.
	 * @throws InputError if several templates have the chosen ID or name, or the errors of {@link templateOfEditor}.
	 */
	async getTemplateKeys() {
		const found = await templateOfEditor(this);
		if (found.error) throw found.error;
		const { fields } = fieldsFormOf(found);
		const { fields: people } = peopleFormOf(this, found);
		return [...fields.map(keyFor('fields')), ...people.map(keyFor('signatoryRoles'))];
	},
});

/** @param parameter The mapped form's name in the node's parameters. */
function keyFor(parameter: string) {
	return ({ id, displayName, required }: ResourceMapperField): INodePropertyOptions => ({
		name: displayName,
		value: id,
		description: `A key in ${parameter}.value${required ? ', required' : ''}`,
	});
}
