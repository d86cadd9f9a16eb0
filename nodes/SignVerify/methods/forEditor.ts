import { type ILoadOptionsFunctions, isExpression } from 'n8n-workflow';

import { withNodeErrors } from '../http/errors';
import { canBeKey, objectOf, textOf } from '../util/values';

/** A method that n8n's editor calls to fill a list or a form. */
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
