import type { TSchema } from '@sinclair/typebox';

import { CONTRACT, type EndpointName } from '../../../sandbox/contract/endpoints';
import { both, callTo, type Check, refused } from './endpointChecks';
import type { Sent } from './live';
import type { EndpointSection } from './servicePage';

/** The values that a schema names, with their types, as the page writes them: `url: string`. */
function namedIn({ properties = {} }: TSchema): string[] {
	return Object.entries(properties as Record<string, TSchema>).map(
		([name, { type }]) => `${name}: ${String(type)}`,
	);
}

/** Each value of a part that has to be there is left out of a good call in turn. */
function refusedWithoutEach(name: EndpointName, part: 'query' | 'body', schema: TSchema): Check {
	return async (live) => {
		const { method, path, query, body } = callTo(live, name).request;
		const sent: Sent = { query: query as Sent['query'], body };
		for (const value of (schema.required ?? []) as string[]) {
			const less = { ...(sent[part] as object), [value]: undefined };
			await refused(method, path, { ...sent, [part]: less })(live);
		}
	};
}

function refusedWithBody(name: EndpointName): Check {
	return async (live) => {
		const { method, path, query } = callTo(live, name).request;
		await refused(method, path, { query: query as Sent['query'], body: {} })(live);
	};
}

/**
 * How an endpoint is called and answers, row by row: the page says the same as the endpoint's entry, and the sandbox does what
 * both say. Page and entry are written by hand, so a mistake in one of them is seen.
 */
export function callChecks(name: EndpointName, page: EndpointSection): Record<string, Check> {
	const { params, query, body, looksUp = false } = CONTRACT[name];
	const [method = '', path = ''] = name.split(' ');
	const called: Check = (live) => {
		expect(page.call).toBe(`${method} {base_url}${path.replace(/:(\w+)/g, '{$1}')}`);
		const { status, request } = callTo(live, name);
		expect([name, status, request.violation]).toEqual([name, 200, undefined]);
	};
	const answered: Check = (live) => {
		const { message, success, responseCode } = callTo(live, name).body;
		expect([name, success, responseCode]).toEqual([name, true, 200]);
		if (page.isDocumented) expect([name, message]).toEqual([name, page.message]);
	};
	// What is in the answer: the resource's own rows, and openapi.test.ts, check it.
	const checks: Record<string, Check> = { Call: called, Answer: answered };
	const add = (part: string, schema: TSchema | undefined, behaves: Check) => {
		const onPage = page.named(part);
		if (!schema && !onPage) return;
		const saysTheSame = () =>
			expect({ [`${name} on the page`]: onPage ?? 'no row' }).toEqual({
				[`${name} on the page`]: schema ? namedIn(schema) : [],
			});
		checks[part] = both(saysTheSame, behaves);
	};
	add('Path', params, async (live) => {
		const { status } = await live.send(method, path.replace(/:\w+/g, 'nothing'), {});
		expect([name, status]).toEqual([name, looksUp ? 404 : 200]);
	});
	add('Query', query, query ? refusedWithoutEach(name, 'query', query) : () => {});
	add('Body', body, body ? refusedWithoutEach(name, 'body', body) : refusedWithBody(name));
	return checks;
}
