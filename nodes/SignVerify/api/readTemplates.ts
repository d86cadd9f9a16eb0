import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { isObject, isTrue, listOf, textOf } from '../util/values';
import type { Template, TemplateVersion } from './types';

/** A template's string properties, in either version. */
const stringProperties = ['_id', 'templateID', 'userID', 'name', 'description', 'key', 'status'];

/**
 * A template's lists of fields. The sender fills in the first two, and each signatory fills in the last one.
 */
const fieldLists = ['form', 'inputs', 'formSignatory'];

/**
 * Normalizes a list of templates so that all other code can rely on the types of their fields:
 * - Every field that should be a string is a string, which is empty if the service returned something else.
 * - A field that the service leaves out stays missing, because raw output contains only what the service
 *   returned.
 * - Templates without an ID and variables without a key are left out, because they can't be used. n8n's log
 *   shows how many were left out.
 */
export function readTemplates(
	list: unknown[],
	templateVersion: TemplateVersion,
	service: ServiceClient,
): Template[] {
	let leftOut = 0;
	const withText = (entries: unknown[], names: string[]): IDataObject[] => {
		const found = entries
			.filter(isObject)
			.filter((entry) => names.some((name) => textOf(entry[name])));
		leftOut += entries.length - found.length;
		return found;
	};
	const readField = (name: string, value: unknown): unknown => {
		if (stringProperties.includes(name)) return textOf(value);
		if (!fieldLists.includes(name)) return value;
		return withText(listOf(value), ['key']).map((variable) => ({
			...variable,
			key: textOf(variable.key),
			label: textOf(variable.label),
			isRequired: isTrue(variable.isRequired),
		}));
	};
	const templates = withText(list, ['templateID', '_id']).map((template) => {
		const read = Object.entries(template).map(([name, value]) => [name, readField(name, value)]);
		return { ...Object.fromEntries(read), templateVersion } as Template;
	});
	if (leftOut > 0) {
		service.logger.warn(
			`SignVerify: left out templates or fields that have no ID or key: ${leftOut}`,
		);
	}
	return templates;
}
