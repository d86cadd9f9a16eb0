/** The explanation of each file system error, including what to do next. */
const meanings: Record<string, string> = {
	ENOSPC: 'The disk is full. Free some space',
	EDQUOT: 'Your disk quota is used up. Free some space',
	EROFS: 'The disk is read-only. Choose a folder on another disk',
	EACCES:
		'You don’t have permission to use this file or folder. Change its permissions, or choose another one',
	EPERM:
		'You don’t have permission to use this file or folder. Change its permissions, or choose another one',
	ENOTDIR: 'Part of this path is a file, not a folder. Choose another folder',
	EISDIR: 'This path is a folder, but it has to be a file. Move the folder somewhere else',
	EMFILE: 'This process has too many open files. Raise the limit (ulimit -n)',
	ENAMETOOLONG: 'This path is too long. Choose a folder with a shorter path',
	EIO: 'The disk reported an error. Choose a folder on another disk',
};

/**
 * Explains a file system error in a sentence that includes the path. Returns undefined for any other error.
 */
export function fileErrorText(error: unknown): string | undefined {
	const { code = '', path, syscall } = error as NodeJS.ErrnoException;
	// Network errors share some of these codes but come from different system calls.
	if (!Object.hasOwn(meanings, code) || /^(?:listen|connect|bind|spawn)/.test(syscall ?? '')) {
		return undefined;
	}
	const where = path === undefined ? '' : `${path}: `;
	return `${where}${meanings[code]}, then run the same command again. (${code})`;
}
