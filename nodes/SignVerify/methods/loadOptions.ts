import { type ILoadOptionsFunctions, isExpression } from 'n8n-workflow';

import { activityOf, idOf, listAllTemplates, nameOf, onePerId, statusOf } from '../api/templates';
import { type Template } from '../api/types';
import { ServiceClient } from '../http/client';
import { withNodeErrors } from '../http/errors';
import { canBeKey, normalName, objectOf, textOf } from '../util/values';

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
 * The templates of both generations. A template that is not active says so, and one with an unknown status shows it;
 * both come last. Of two with the same name, that of version 1 says so.
 * @throws ServiceError if one of the lists failed, because the other one would look like all templates.
 */
export async function templateEntries(context: ILoadOptionsFunctions) {
	const templates = onePerId(await listAllTemplates(new ServiceClient(context)));
	const isNewer = ({ templateVersion }: Template) => templateVersion === 'v2';
	const isActive = (template: Template) => activityOf(template) === 'active';
	const seenName = (template: Template) => normalName(nameOf(template));
	const newerNames = new Set(templates.filter(isNewer).map(seenName));
	const inOrder = (left: Template, right: Template) =>
		Number(isActive(right)) - Number(isActive(left)) || nameOf(left).localeCompare(nameOf(right));
	const labelOf = (template: Template) => {
		const words = [
			nameOf(template),
			!isNewer(template) && newerNames.has(seenName(template)) && '(version 1)',
			activityOf(template) === 'inactive' && '(not active)',
			activityOf(template) === 'unknown' && `(status ${statusOf(template)})`,
			template.description && `– ${template.description}`,
		];
		return words.filter(Boolean).join(' ');
	};
	const entries = templates.sort(inOrder).map((template) => ({
		name: labelOf(template),
		value: idOf(template),
	}));
	return toldApart(entries);
}

/** Entries of which those with one name have the end of their IDs, as much as tells them apart. */
function toldApart(entries: Array<{ name: string; value: string }>) {
	const idsByName = new Map<string, string[]>();
	for (const { name, value } of entries) {
		const ids = idsByName.get(normalName(name)) ?? [];
		ids.push(value);
		idsByName.set(normalName(name), ids);
	}
	const ends = new Map<string, number>();
	for (const [name, ids] of idsByName) if (ids.length > 1) ends.set(name, endThatDiffers(ids));
	return entries.map((entry) => {
		const length = ends.get(normalName(entry.name));
		if (length === undefined) return entry;
		const end = entry.value.slice(-length);
		return { ...entry, name: `${entry.name} (ID ${end === entry.value ? '' : '…'}${end})` };
	});
}

/** How many characters at the end of IDs make each of them another one. */
function endThatDiffers(ids: string[]): number {
	const isEnough = (length: number) =>
		new Set(ids.map((id) => id.slice(-length))).size === ids.length;
	return [6, 10, 16].find(isEnough) ?? Infinity;
}

type Method = (this: ILoadOptionsFunctions, filter?: string) => Promise<unknown>;

/**
 * Makes methods fit for the editor. The editor saves words of what they give in the workflow, and n8n runs
 * each text there that begins with "=" as an expression. So no method gives such a text. Its failure is
 * an error that the editor shows.
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
 * What a method gives, without texts that begin with "=". A name gets a visible character before it. An
 * entry whose ID (`value`, or `id` of a mapped field) n8n cannot keep is left out, because a changed ID
 * would be another one.
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
	// Changed in place, because a copy of 80,000 entries takes a fifth of a second.
	for (const [name, inner] of Object.entries(objectOf(value))) {
		(value as Record<string, unknown>)[name] = withoutExpressions(inner, onLeftOut);
	}
	return value;
}
