import { parseUrl } from '../util/urls';

/** The paths that are followed by an ID in a call that reads a single object. */
export const pathsBeforeIds = {
	identityRequest: '/identity/validation/request',
	identityResults: '/identity/session/results',
};

/** The paths of the service's endpoints, below the Base URL (docs/dev/service.md#endpoints). */
export const endpointPaths = {
	token: '/access/token',
	webhooks: '/webhooks',
	identityWebhooks: '/webhooks/verify',
	templates: { v1: '/templates', v2: '/templates/v2' },
	newDocument: {
		v1: '/templates/createDocumentByTemplate',
		v2: '/templates/createDocumentByTemplateV2',
	},
	...pathsBeforeIds,
};

/** Match a URL whose path ends with that of an endpoint. */
const endings = Object.values(endpointPaths)
	.flatMap((paths) => (typeof paths === 'string' ? [paths] : Object.values(paths)))
	.map((path) => {
		const id = Object.values(pathsBeforeIds).includes(path) ? '(?:/[^/]+)?' : '';
		return new RegExp(`${path}${id}$`, 'i');
	});

/**
 * Returns the part of a Base URL that is the path of an endpoint, as if someone had copied the URL of a call; ''
 * if its path doesn't end with one. A service's own path can end in the same way, so this proves nothing.
 * @param baseUrl The Base URL, without a slash at the end.
 */
export function endpointAtEnd(baseUrl: string): string {
	const path = parseUrl(baseUrl)?.pathname ?? '';
	const [end = ''] = endings.flatMap((ending) => ending.exec(path) ?? []);
	return end;
}
