import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { isEmpty, isObject, isTrue, listOf, objectOf, textOf } from '../util/values';
import type { Template, TemplateVersion } from './types';

const stringProperties = ['_id', 'templateID', 'userID', 'name', 'description', 'key', 'status'];

/**
 * A template's lists of fields. The sender fills in the first two, and each signatory fills in the last one.
 */
const fieldLists = ['form', 'inputs', 'formSignatory'];

/** A template that has something other than a list in one of these places is left out. */
const neededLists = { v1: ['inputs'], v2: ['form', 'signatories'] };

/**
 * Normalizes a list of templates so that all other code can rely on the types of their fields:
 * - Every field that should be a string is a string, which is empty if the service returned something else.
 * - A field that the service leaves out stays missing, because raw output contains only what the service
 *   returned.
 * - Templates without an ID or with something else in place of a list, and variables without a key are left
 *   out, because they can't be used. n8n's log shows how many were left out.
 */
export function readTemplates(
	list: unknown[],
	templateVersion: TemplateVersion,
	service: ServiceClient,
): Template[] {
	// Without its lists, a template's contract would be sent without the fields.
	const usable = list.filter((template) =>
		neededLists[templateVersion]
			.map((name) => objectOf(template)[name])
			.every((value) => isEmpty(value) || Array.isArray(value)),
	);
	let leftOut = list.length - usable.length;
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
	const templates = withText(usable, ['templateID', '_id']).map((template) => {
		const read = Object.entries(template).map(([name, value]) => [name, readField(name, value)]);
		return { ...Object.fromEntries(read), templateVersion } as Template;
	});
	if (leftOut > 0) {
		service.logger.debug(`SignVerify: left out templates or fields that can't be used: ${leftOut}`);
	}
	return templates;
}
