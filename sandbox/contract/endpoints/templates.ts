import { envelopeOf, TemplateListV1Schema, TemplateListV2Schema } from '../../schemas';
import { good, endpoint } from './endpoint';

export const templateEndpoints = {
	'GET /templates': endpoint({
		operationId: 'listTemplatesV1',
		tag: 'Templates',
		summary: 'List version 1 templates',
		description: 'The response doesn’t include a `message`.',
		anchor: 'list-templates-version-1',
		access: 'bearer',
		responses: [envelopeOf(TemplateListV1Schema)],
		act: ({ account, templates }) => good({ templates: templates.listV1(account.userId) }),
	}),
	'GET /templates/v2': endpoint({
		operationId: 'listTemplatesV2',
		tag: 'Templates',
		summary: 'List version 2 templates',
		description: 'The response doesn’t include a `message`.',
		anchor: 'list-templates-version-2',
		access: 'bearer',
		responses: [envelopeOf(TemplateListV2Schema)],
		act: ({ templates }) => good({ templates: templates.listV2() }),
	}),
};
