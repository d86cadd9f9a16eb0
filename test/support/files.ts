import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';

export const textOfFile = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Lists the files in a folder and its subfolders, as paths relative to the folder. */
export function filesIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => statSync(path.join(folder, file)).isFile())
		.map((file) => file.replaceAll(path.sep, '/'));
}

/** The content of package.json. */
export const manifest = JSON.parse(textOfFile('package.json')) as {
	description: string;
	name: string;
	version: string;
	homepage: string;
	repository: { url: string };
	bugs: { url: string };
	n8n: { nodes: string[] };
	scripts: Record<string, string>;
	devDependencies: Record<string, string>;
	dependencies?: object;
};
