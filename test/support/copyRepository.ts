import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';

/**
 * Copies the repository as it is in this working copy, and links its dependencies.
 * @param isNeeded Whether to copy a file, named from the repository's folder.
 */
export function copyRepository(target: string, isNeeded?: (file: string) => boolean): void {
	const listed = ['ls-files', '-co', '--exclude-standard', '--deduplicate'];
	const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).trim().split('\n');
	for (const file of isNeeded ? files.filter(isNeeded) : files) {
		// A file that was deleted, but not committed, is listed, too.
		if (!existsSync(path.join(root, file))) continue;
		mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
		copyFileSync(path.join(root, file), path.join(target, file));
	}
	linkDependencies(target);
}

/** Gives a folder the dependencies of this working copy. */
export function linkDependencies(target: string): void {
	symlinkSync(path.join(root, 'node_modules'), path.join(target, 'node_modules'));
}
