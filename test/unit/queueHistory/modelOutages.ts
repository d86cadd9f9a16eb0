import 'fast-check';
import type { Role } from '../../queue/support/history/entries';

/** A part of the modelled n8n that is away for a while. */
export interface Outage {
	target: string;
	role: Role;
	from: number;
	to: number;
}

/** The first outage of such a part that a span meets. */
export function meets(
	all: Outage[],
	is: (outage: Outage) => boolean,
	from: number,
	to: number,
): Outage | undefined {
	return all.find((each) => is(each) && each.from <= to && each.to >= from);
}
