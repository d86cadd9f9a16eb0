/**
 * For these paths and all paths below them, the service expects the token twice: in the `token` header, and
 * as a bearer token in `Authorization`.
 */
const bearerPaths = ['/templates'];

/**
 * Whether calls to a path need the `Authorization` header in addition to `token`
 * (docs/dev/service.md#authentication).
 * @param path The path relative to the Base URL, without the query string, for example `/templates/v2`.
 */
export function needsAuthorization(path: string): boolean {
	return bearerPaths.some((base) => path === base || path.startsWith(`${base}/`));
}
