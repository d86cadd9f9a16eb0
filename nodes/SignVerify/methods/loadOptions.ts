import { forEditor } from './forEditor';
import { templateEntries } from './templateEntries';

/** Loads the options for the trigger's fields. */
export const loadOptions = forEditor({
	/**
	 * Lists the templates to filter events by. The list includes inactive templates, because documents
	 * created from them may still be waiting for signatures.
	 */
	async getTemplates() {
		return await templateEntries(this);
	},
});
