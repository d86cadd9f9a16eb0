/** The end-to-end tests that share one n8n. */
export interface Group {
	/** The name of the group's project in jest.config.js. */
	name: string;
	/** The files in the order in which they run, as paths in test/e2e. */
	files: string[];
}

/** Why each of the files that are in no group is in none. */
export const alone: Record<string, string>;

/** @param isNightly Whether the files that run only every night are included. */
export function groupsOf(isNightly: boolean): Group[];
