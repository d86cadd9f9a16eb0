import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { repository } = JSON.parse(
	readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'),
) as { repository: { url: string } };
const page = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/docs/dev/service.md`;

/** A link to a heading of docs/dev/service.md, or to the page. */
export function externalDocs(anchor?: string): { url: string; description: string } {
	return {
		description: 'docs/dev/service.md',
		url: anchor === undefined ? page : `${page}#${anchor}`,
	};
}
