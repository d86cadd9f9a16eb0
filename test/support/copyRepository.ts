import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';

/**
 * Copies the files of this working copy to a folder and links the dependencies.
 * @param isNeeded Decides whether to copy a file, given its path in the repository.
 */
export function copyRepository(target: string, isNeeded?: (file: string) => boolean): void {
	const listed = ['ls-files', '-co', '--exclude-standard', '--deduplicate'];
	const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).trim().split('\n');
	for (const file of isNeeded ? files.filter(isNeeded) : files) {
		// git still lists a deleted file until the deletion is staged.
		if (!existsSync(path.join(root, file))) continue;
		mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
		copyFileSync(path.join(root, file), path.join(target, file));
	}
	linkDependencies(target);
}

/** Links the dependencies of this working copy into a folder. */
export function linkDependencies(target: string): void {
	symlinkSync(path.join(root, 'node_modules'), path.join(target, 'node_modules'));
}
