import { readFile } from 'node:fs/promises';
import { cleanText } from './demo/papers/text';
import { PageRefusal } from './service/refusal';
import type { Sandbox } from './types';

/** The environment variable that contains the path of a file with templates to import at startup. */
const variable = 'SANDBOX_TEMPLATES';

/** The help text about the environment variables, for the commands that start the sandbox. */
export const environmentHelp = `  SANDBOX_PORT        The port of the sandbox's pages and API (default: 4010)
  SANDBOX_SMTP_PORT   The port for emails (default: 2525)
  SANDBOX_TEMPLATES   A file with your own templates: the raw output from the Get many templates action
  SANDBOX_USER_ID     The sandbox account's User ID (default: chosen by the sandbox)
  SANDBOX_API_KEY     The sandbox account's API Key (default: chosen by the sandbox)`;

/** The path and contents of the file that `SANDBOX_TEMPLATES` points to. */
export interface TemplateFile {
	path: string;
	json: string;
}

/**
 * Thrown if the sandbox cannot start with the given environment variables. The message tells the user what to
 * do.
 */
export class StartUpRefusal extends Error {}

/**
 * Reads the template file that `SANDBOX_TEMPLATES` points to.
 * @returns undefined if the variable is not set.
 * @throws StartUpRefusal if the file cannot be read.
 */
export async function chosenTemplates(): Promise<TemplateFile | undefined> {
	const path = process.env[variable];
	if (!path) return undefined;
	try {
		return { path, json: await readFile(path, 'utf8') };
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const why = code === 'ENOENT' ? "the file doesn't exist" : `the file can't be read (${code})`;
		throw new StartUpRefusal(
			`${variable} is "${path}", but ${why}. Set the variable to a file that contains the raw output from the Get many templates action.`,
		);
	}
}

/**
 * Imports the templates from a file.
 * @returns Lines for the terminal: the number of imported templates, and, for each of the others, the reason
 * why it was refused.
 * @throws StartUpRefusal if no template can be imported.
 */
export function importTemplateFile(sandbox: Sandbox, { path, json }: TemplateFile): string[] {
	try {
		const { taken, refused } = sandbox.importTemplates(json);
		const reasons = refused.map(({ title, reason }) => `"${cleanText(title)}": ${reason}`);
		if (taken.length > 0) {
			const count = `${taken.length} template${taken.length === 1 ? '' : 's'}`;
			return [`${count} imported from ${path}`, ...reasons.map((one) => `Not imported: ${one}`)];
		}
		throw new PageRefusal(reasons.join(' '));
	} catch (error) {
		if (!(error instanceof PageRefusal)) throw error;
		throw new StartUpRefusal(
			`No templates were imported from ${path} (${variable}). ${error.message}`,
		);
	}
}
