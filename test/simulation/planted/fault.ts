import type { PromiseName } from '../promises/broken';

/** A behaviour that is broken on purpose, and that the simulation must find. */
export interface PlantedFault {
	/** For the command line and the report. */
	name: string;
	/** What goes wrong for the user, in one sentence. */
	description: string;
	/** The promise that it breaks. */
	promise: PromiseName;
	/** Below `nodes/SignVerify/`, without `.ts`. */
	module: string;
	/** Makes the wrong thing from the right one, for each export of the module that is replaced. */
	wrong: Record<string, Wrong>;
}

/** @param right What the module really exports. @returns What everybody gets in its place. */
export type Wrong = (right: never) => unknown;

/**
 * A fault in a module of what ships.
 * @typeParam Module The module's type: what the fault replaces must be in it, and stay what it is.
 */
export function fault<Module extends object>(
	about: Pick<PlantedFault, 'name' | 'description' | 'promise' | 'module'>,
	wrong: { [Name in keyof Module]?: (right: Module[Name]) => Module[Name] },
): PlantedFault {
	return { ...about, wrong: wrong as Record<string, Wrong> };
}
