import type { Patch } from '../nodeCode';

/** A fault that the simulation must find in the nodes' code, put there while it is bundled. */
export interface PlantedFault {
	/** For the command line and the report. */
	name: string;
	/** What goes wrong for the user, in one sentence. */
	description: string;
	patches: Patch[];
}
