import { type ILoadOptionsFunctions, isExpression, NodeOperationError } from 'n8n-workflow';
import { withNodeErrors } from '../errors/nodeError';
import { cutText } from '../util/text';
import { canBeKey, objectOf, textOf } from '../util/values';

/** A method that n8n's editor calls to fill a list or a form. */
type Method = (this: ILoadOptionsFunctions, filter?: string) => Promise<unknown>;

/**
 * Wraps methods so that the editor can use their results and show their errors. The editor saves strings from
 * the results in the workflow. n8n would run a saved string as an expression if it began with "=", so strings
 * that do are changed or left out.
 * @n8n
 */
export function forEditor<Methods extends Record<string, Method>>(methods: Methods): Methods {
	const wrapped = Object.entries(methods).map(([name, method]): [string, Method] => [
		name,
		async function (filter) {
			const log = (count: number) =>
				this.logger.debug(
					`SignVerify: left out list entries whose IDs n8n can't store: ${count} (${name})`,
				);
			const load = async () => withoutExpressions(await method.call(this, filter), log);
			try {
				// @n8n The editor shows only an error's message, as it does when a workflow is published.
				return await withNodeErrors(this, load, { isPublication: true });
			} catch (error) {
				// n8n may show the description as well, so it must not repeat the remedy.
				throw new NodeOperationError(this.getNode(), (error as Error).message);
			}
		},
	]);
	return Object.fromEntries(wrapped) as Methods;
}

const shownKeys = ['name', 'displayName'];
const maxEditorMessageLength = 500;

/**
 * Removes strings that begin with "=" from a method's result, and cuts long names. A name gets an apostrophe
 * before the "=". An entry whose ID (`value`, or the `id` of a mapped field) begins with "=" is left out,
 * because a changed ID would be wrong. Entries whose ID n8n can't store for another reason are left out too.
 * @param onLeftOut Called with the number of entries left out of a list.
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
	// Modify objects in place, because copying 80,000 entries would take a fifth of a second.
	for (const [name, inner] of Object.entries(objectOf(value))) {
		const isLongName = shownKeys.includes(name) && textOf(inner).length > maxEditorMessageLength;
		const shown = isLongName ? `${cutText(textOf(inner), maxEditorMessageLength)}…` : inner;
		(value as Record<string, unknown>)[name] = withoutExpressions(shown, onLeftOut);
	}
	return value;
}
