/** The values that a release writes into the changelog. */
interface Move {
	version: string;
	/** Today as YYYY-MM-DD. */
	today: string;
	/** The URL of the repository, for the links that compare versions. */
	url: string;
}

/**
 * Moves a changelog's unreleased changes under a heading for the new version. The changelog uses the format
 * from keepachangelog.com.
 * @throws Error if there are no unreleased changes.
 */
export function moveUnreleased(changelog: string, { version, today, url }: Move): string {
	const [heading = '', content = ''] =
		/^## \[?Unreleased\]?\n([^]*?)(?=^## |^\[[^\]]+\]: |(?![^]))/m.exec(changelog) ?? [];
	if (content.trim() === '') {
		throw new Error(
			'CHANGELOG.md doesn\'t have any entries under "Unreleased", so there is nothing to release.',
		);
	}
	const [, former] = /^## \[(\d[^\]]*)\]/m.exec(changelog) ?? [];
	const compared = former
		? `${url}/compare/v${former}...v${version}`
		: `${url}/releases/tag/v${version}`;
	const [older = ''] = /^\[\d[^]*/m.exec(changelog) ?? [];
	const text = changelog
		.replace(/^\[[^\]]+\]: [^]*/m, '')
		.replace(heading, () => `## [Unreleased]\n\n## [${version}] - ${today}\n${content}`);
	const links = [`[Unreleased]: ${url}/compare/v${version}...HEAD`, `[${version}]: ${compared}`];
	return `${text.trimEnd()}\n\n${links.join('\n')}\n${older}`;
}
