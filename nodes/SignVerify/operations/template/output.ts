import type { IDataObject } from 'n8n-workflow';

import { idOf, signaturePlacesOf, variablesOf } from '../../api/templates';
import type { Template, TemplateVariable } from '../../api/types';
import type { Output } from '../../input/parameters';
import { isEmpty } from '../../util/values';

/**
 * Returns the output for a template. Simplified output contains only the values that a user needs to choose
 * the template and fill it in, and the questions that signatories answer before they sign
 * (docs/dev/service.md#template-version-2).
 */
export function outputOfTemplate(output: Output, template: Template): IDataObject {
	const { templateVersion, ...raw } = template;
	if (output === 'raw') return raw;
	const { name, description, status } = template;
	return {
		templateId: idOf(template),
		name,
		description,
		...(isEmpty(status) ? {} : { status }),
		templateVersion,
		fields: variablesOf(template).map(described),
		roles: signaturePlacesOf(template).map(({ id, label }) => ({ key: id, label })),
		questions: (template.formSignatory ?? []).map(described),
	};
}

function described({ key, label, isRequired }: TemplateVariable): IDataObject {
	return { key, label, isRequired };
}
