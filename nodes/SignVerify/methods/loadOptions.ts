import { type ILoadOptionsFunctions, isExpression } from 'n8n-workflow';

import { activityOf, idOf, listAllTemplates, nameOf, statusOf } from '../api/templates';
import { type Template } from '../api/types';
import { ServiceClient } from '../http/client';
import { withNodeErrors } from '../http/errors';
import { canBeKey, normalName, objectOf, textOf } from '../util/values';

/** Loads the options of the trigger's fields. */
export const loadOptions = forEditor({
	/**
	 * Lists the templates to filter events by. The list includes inactive templates, because documents made from them
	 * may still wait for signatures.
	 */
	async getTemplates() {
		return await templateEntries(this);
	},
});

/**
 * Lists the templates of both versions by name, with active templates first. A name shows if the template is inactive,
 * has an unknown status, or is of version 1 while version 2 has the same name.
 * @throws ServiceError if one of the two lists cannot be loaded: the other one alone would look complete.
 */
export async function templateEntries(context: ILoadOptionsFunctions) {
	const templates = await listAllTemplates(new ServiceClient(context));
	const isVersion2 = ({ templateVersion }: Template) => templateVersion === 'v2';
	const isActive = (template: Template) => activityOf(template) === 'active';
	const comparedName = (template: Template) => normalName(nameOf(template));
	const version2Names = new Set(templates.filter(isVersion2).map(comparedName));
	const activeFirst = (left: Template, right: Template) =>
		Number(isActive(right)) - Number(isActive(left)) || nameOf(left).localeCompare(nameOf(right));
	const labelOf = (template: Template) => {
		const words = [nameOf(template)];
		const sharesName = version2Names.has(comparedName(template));
		if (!isVersion2(template) && sharesName) words.push('(version 1)');
		if (activityOf(template) === 'inactive') words.push('(not active)');
		if (activityOf(template) === 'unknown') words.push(`(status ${statusOf(template)})`);
		if (template.description) words.push(`– ${template.description}`);
		return words.join(' ');
	};
	const entries = templates.sort(activeFirst).map((template) => ({
		name: labelOf(template),
		value: idOf(template),
	}));
	return withDistinctNames(entries);
}

/** Adds the end of the ID to entries with the same name, as many characters as are needed to tell the entries apart. */
function withDistinctNames(entries: Array<{ name: string; value: string }>) {
	const idsByName = new Map<string, string[]>();
	for (const { name, value } of entries) {
		const ids = idsByName.get(normalName(name)) ?? [];
		ids.push(value);
		idsByName.set(normalName(name), ids);
	}
	const lengthByName = new Map<string, number>();
	for (const [name, ids] of idsByName) {
		if (ids.length > 1) lengthByName.set(name, lengthOfDistinctEnds(ids));
	}
	return entries.map((entry) => {
		const length = lengthByName.get(normalName(entry.name));
		if (length === undefined) return entry;
		const end = entry.value.slice(-length);
		return { ...entry, name: `${entry.name} (ID ${end === entry.value ? '' : '…'}${end})` };
	});
}

/** Returns how many characters at the end of the IDs tell all of them apart; Infinity for the whole IDs. */
function lengthOfDistinctEnds(ids: string[]): number {
	const areDistinct = (length: number) =>
		new Set(ids.map((id) => id.slice(-length))).size === ids.length;
	return [6, 10, 16].find(areDistinct) ?? Infinity;
}

type Method = (this: ILoadOptionsFunctions, filter?: string) => Promise<unknown>;

/**
 * Wraps methods so that the editor can use their results and show their errors. The editor saves texts from the results
 * in the workflow, where n8n would run a text that begins with "=" as an expression, so such texts are changed or
 * left out.
 */
export function forEditor<Methods extends Record<string, Method>>(methods: Methods): Methods {
	const wrapped = Object.entries(methods).map(([name, method]): [string, Method] => [
		name,
		async function (filter) {
			const warn = (count: number) =>
				this.logger.warn(
					`SignVerify: ${count} entries of ${name} were left out, because n8n cannot keep their IDs`,
				);
			return await withNodeErrors(this, async () =>
				withoutExpressions(await method.call(this, filter), warn),
			);
		},
	]);
	return Object.fromEntries(wrapped) as Methods;
}

/**
 * Removes texts that begin with "=" from the result of a method. A name gets an apostrophe before the "=". An entry is
 * left out if n8n cannot keep its ID (`value`, or the `id` of a mapped field), because a changed ID would be wrong.
 * @param onLeftOut Is called with the number of entries that were left out of a list.
 */
function withoutExpressions(value: unknown, onLeftOut: (count: number) => void): unknown {
	if (typeof value === 'string') return isExpression(value) ? `'${value}` : value;
	if (Array.isArray(value)) {
		const kept = value.filter((entry) =>
			[objectOf(entry).value, objectOf(entry).id].every((id) => canBeKey(textOf(id))),
		);
		if (kept.length < value.length) onLeftOut(value.length - kept.length);
		return kept.map((entry: unknown) => withoutExpressions(entry, onLeftOut));
	}
	// Objects are changed in place, because copying 80,000 entries takes a fifth of a second.
	for (const [name, inner] of Object.entries(objectOf(value))) {
		(value as Record<string, unknown>)[name] = withoutExpressions(inner, onLeftOut);
	}
	return value;
}
