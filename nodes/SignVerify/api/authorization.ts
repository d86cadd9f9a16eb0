/** The paths below which the service wants the token a second time, as a bearer token. */
const bearerPaths = ['/templates'];

/**
 * Whether calls to a path need the header `Authorization`, besides `token` (docs/dev/service.md#authentication).
 * @param path Below the Base URL, without its query: `/templates/v2`.
 */
export function needsAuthorization(path: string): boolean {
	return bearerPaths.some((base) => path === base || path.startsWith(`${base}/`));
}
