import { ServiceClient } from '../account/client';
import { textOfIds } from '../api/templates';
import { templateEntries } from '../templateForm/templateEntries';
import { forEditor } from './forEditor';

export const loadOptions = forEditor({
	/**
	 * An entry saves all IDs of its template, because an event may contain any of them. The list includes inactive
	 * templates, because documents created from them may still be waiting for signatures.
	 */
	async getTemplates() {
		const entries = await templateEntries(new ServiceClient(this));
		return entries.map(({ name, ids }) => ({ name, value: textOfIds(ids) }));
	},
});
