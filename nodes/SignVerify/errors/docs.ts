import type { DocsAnchor } from '../generated/docsAnchors';

export type { DocsAnchor };

/**
 * The repository that contains the source and the documentation. A test compares this URL with package.json
 * (test/repository/project.test.ts).
 */
export const repository = 'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify';

/** The package's version. `npm run release` sets it; before the first release, it is 0.0.0. */
export const packageVersion = '0.0.0';

/**
 * Returns the URL of the documentation for one version of the package. The pages for a later version may
 * describe different behavior.
 * @param version If this is 0.0.0, the package hasn't been released yet, and the URL points to the `main`
 * branch.
 */
export function docsOf(version: string): string {
	return `${repository}/blob/${version === '0.0.0' ? 'main' : `v${version}`}/docs`;
}

export function docsLink(
	anchor: DocsAnchor,
	{ isHtml = false }: { isHtml?: boolean } = {},
): string {
	const url = `${docsOf(packageVersion)}/troubleshooting.md#${anchor}`;
	return isHtml ? `<a href="${url}" target="_blank">More about this error</a>` : `More: ${url}`;
}
