import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const example = "  npm run release -- repository owner/name 'Author Name' author@the.company";

/**
 * The placeholders for the owner's name and for the domain of the author's email address. Neither of them
 * belongs to anyone.
 */
const placeholders = { owner: 'n8n-nodes-signverify', mailHost: 'example.com' };

/** The parts of package.json that name the owner of the package. */
export interface Ownership {
	repository: { url: string };
	author: { name: string; email: string };
}

/** Returns the URL that opens the repository in a browser, without `git+` and `.git`. */
export function repositoryOf({ repository }: Pick<Ownership, 'repository'>): string {
	return repository.url.replace(/^git\+|\.git$/g, '');
}

/** Returns the reason why the package must not be published yet, or undefined if it may be published. */
export function placeholderIn(manifest: Ownership): string | undefined {
	const address = repositoryOf(manifest);
	const [owner] = new URL(address).pathname.slice(1).split('/');
	const { email } = manifest.author;
	const isMail = email.endsWith(`@${placeholders.mailHost}`);
	const found = owner === placeholders.owner ? address : isMail ? email : undefined;
	return (
		found &&
		`package.json still has a placeholder: ${found}. To replace it, enter the GitHub repository and its author:\n\n${example}`
	);
}

/**
 * Writes the repository's new URL into every file that contains the old one, and the author into
 * package.json.
 * @returns The changed files.
 * @throws Error that says what to enter.
 */
export function setRepository(
	folder: string,
	[slug = '', name = '', email = '']: string[],
): string[] {
	const valid = /^[\w.-]+\/[\w.-]+$/.test(slug) && name !== '' && /^\S+@\S+\.\S+$/.test(email);
	if (!valid) throw new Error(`Enter the GitHub repository and its author:\n\n${example}`);
	const file = path.join(folder, 'package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as Ownership;
	const former = repositoryOf(manifest);
	const replacements: Array<[string, string]> = [
		[former, `https://github.com/${slug}`],
		[`"${manifest.author.name}"`, JSON.stringify(name)],
		[`"${manifest.author.email}"`, JSON.stringify(email)],
	];
	return filesWith(folder, former).filter((file) => {
		const before = readFileSync(path.join(folder, file), 'utf8');
		const after = replacements.reduce(
			(text, [from, to]) => text.replaceAll(from, () => to),
			before,
		);
		writeFileSync(path.join(folder, file), after);
		return before !== after;
	});
}

function filesWith(folder: string, text: string): string[] {
	const found = execFileSync('git', ['grep', '-lIF', text], { cwd: folder, encoding: 'utf8' });
	return found.trim().split('\n');
}
