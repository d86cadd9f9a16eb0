import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import {
	idOf,
	listTemplates,
	readTemplateVersion,
	type Template,
} from '../operations/template/templates';
import { ServiceClient } from '../transport/client';
import { toNodeError } from '../transport/errors';

/**
 * The list of the "Template" field: templates of the chosen version, by name, version 2 only those
 * that are ACTIVE unless the options ask for the others, too.
 * @param filter What the user typed into the search box; matches name and description.
 * @throws NodeApiError that the list shows in place of its entries.
 */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	try {
		const version = readTemplateVersion(this.getCurrentNodeParameter('templateVersion'));
		const templates = await listTemplates(new ServiceClient(this), version);
		const wanted = (filter ?? '').trim().toLowerCase();
		const all = this.getCurrentNodeParameter('options.includeInactive') === true;
		const results = templates
			.filter((template) => all || isActive(template))
			.map((template) => ({ name: labelOf(template), value: idOf(template) }))
			.filter(({ name }) => name.toLowerCase().includes(wanted))
			.sort((left, right) => left.name.localeCompare(right.name));
		return { results };
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

function isActive(template: Template): boolean {
	return !('status' in template) || !template.status || template.status === 'ACTIVE';
}

function labelOf(template: Template): string {
	const { name, description } = template;
	const label = description ? `${name} – ${description}` : name;
	return isActive(template) ? label : `${label} (not active)`;
}
