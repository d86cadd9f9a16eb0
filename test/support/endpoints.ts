import { type EndpointName, endpointNames } from '../../sandbox/contract/endpoints';

/** The endpoint that a call reaches, and the parameters in the call's path. */
export interface CalledEndpoint {
	name: EndpointName;
	params: Record<string, string>;
}

const patterns = endpointNames.map((name) => ({
	name,
	pattern: new RegExp(`^${name.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

/**
 * Finds the endpoint of a call.
 * @param path The path relative to the base URL.
 * @returns undefined if the contract has no such endpoint.
 */
export function endpointOf(method: string, path: string): CalledEndpoint | undefined {
	for (const { name, pattern } of patterns) {
		const found = pattern.exec(`${method} ${path}`);
		if (found) return { name, params: { ...found.groups } };
	}
	return undefined;
}
