import { type ILoadOptionsFunctions } from 'n8n-workflow';

import { idOf, listAllTemplates, nameOf, onePerId, statusOf } from '../api/templates';
import { type Template } from '../api/types';
import { ServiceClient } from '../http/client';
import { forEditor } from './forEditor';

/** Of the trigger's fields. */
export const loadOptions = forEditor({
	/**
	 * The templates to filter by, also those that are not active any more, because documents made from them
	 * may still be waiting for signatures.
	 */
	async getTemplates() {
		return await templateEntries(this);
	},
});

/**
 * The templates of both generations. A template that is not active says so, and comes last. Of two with the
 * same name, that of version 1 does.
 * @throws ServiceError if one of the lists failed, because the other one would look like all templates.
 */
export async function templateEntries(context: ILoadOptionsFunctions) {
	const templates = onePerId(await listAllTemplates(new ServiceClient(context)));
	const isNewer = ({ templateVersion }: Template) => templateVersion === 'v2';
	const isActive = (template: Template) => ['', 'ACTIVE'].includes(statusOf(template));
	const newerNames = new Set(templates.filter(isNewer).map(nameOf));
	const inOrder = (left: Template, right: Template) =>
		Number(isActive(right)) - Number(isActive(left)) || nameOf(left).localeCompare(nameOf(right));
	return templates.sort(inOrder).map((template) => {
		const words = [
			nameOf(template),
			!isNewer(template) && newerNames.has(nameOf(template)) && '(version 1)',
			!isActive(template) && '(not active)',
			template.description && `– ${template.description}`,
		];
		return { name: words.filter(Boolean).join(' '), value: idOf(template) };
	});
}
