import { type GenericValue, type ILoadOptionsFunctions, isExpression } from 'n8n-workflow';

import { withNodeErrors } from '../http/errors';
import { canBeKey, isObject } from '../util/values';
import { listSearch, loadOptions, resourceMapping } from './load';

/** What the action node's form loads. */
export const actionMethods = {
	listSearch: forEditor(listSearch),
	resourceMapping: forEditor(resourceMapping),
};

/** What the trigger's form loads. */
export const triggerMethods = { loadOptions: forEditor(loadOptions) };

type Method = (this: ILoadOptionsFunctions, filter?: string) => Promise<unknown>;

/**
 * Makes methods fit for the editor. The editor saves words of what they give in the workflow, and n8n runs
 * each text there that begins with "=" as an expression. So no method gives such a text. Its failure is
 * an error that the editor shows.
 */
function forEditor<Methods extends Record<string, Method>>(methods: Methods): Methods {
	const wrapped = Object.entries(methods).map(([name, method]): [string, Method] => [
		name,
		async function (filter) {
			return await withNodeErrors(this, async () => {
				let leftOut = 0;
				const answer = withoutExpressions(await method.call(this, filter), (count) => {
					leftOut += count;
				});
				if (leftOut > 0) {
					this.logger.warn(
						`SignVerify: ${leftOut} entries of ${name} were left out, because n8n cannot keep their IDs`,
					);
				}
				return answer;
			});
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
	const clean = (each: unknown) => withoutExpressions(each, onLeftOut);
	if (typeof value === 'string') return isExpression(value) ? `'${value}` : value;
	if (Array.isArray(value)) {
		const kept = value.filter(hasUsableId);
		onLeftOut(value.length - kept.length);
		return kept.map(clean);
	}
	// Changed in place, because a copy of 80,000 entries takes a fifth of a second.
	if (isObject(value)) {
		for (const [name, each] of Object.entries(value)) value[name] = clean(each) as GenericValue;
	}
	return value;
}

function hasUsableId(entry: unknown): boolean {
	if (!isObject(entry)) return true;
	return [entry.value, entry.id].every((id) => typeof id !== 'string' || canBeKey(id));
}
