import type { SandboxClient } from './client';

/** What a command gets. */
export interface CommandInput {
	client: SandboxClient;
	/** The words behind the command's name. */
	words: string[];
	/** `--json`: answer as the sandbox does. */
	json: boolean;
	/** `--follow`: go on until Ctrl+C. */
	follow: boolean;
	print: (text: string) => void;
}
