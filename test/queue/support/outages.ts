/** What a part of n8n is for. */
export type Role = 'main' | 'webhook' | 'worker' | 'store';

/** A time in which a part of n8n was away. */
interface Outage {
	target: string;
	role: Role;
	/** Epoch-ms. */
	from: number;
	/** Infinity while it lasts. */
	to: number;
}

/**
 * For so long (ms) after a store is back, its users may still fail: they must notice it and connect
 * again.
 */
const reconnectMs = 30_000;

/** When parts of n8n were away: what a test may excuse with it, and nothing else. */
export class Outages {
	private readonly all: Outage[] = [];

	began(target: string, role: Role, from = Date.now()): void {
		this.all.push({ target, role, from, to: Infinity });
	}

	ended(target: string, to = Date.now()): void {
		const last = this.all.filter((each) => each.target === target).at(-1);
		if (last) last.to = to;
	}

	/** Whether one of these roles was away, or had just come back, between two moments (epoch-ms). */
	during(roles: Role[], from: number, to: number): boolean {
		return this.all.some((each) => {
			const overMs = each.role === 'store' ? each.to + reconnectMs : each.to;
			return roles.includes(each.role) && each.from <= to && overMs >= from;
		});
	}

	/** How often each part was away. */
	counts(): Record<string, number> {
		const counts: Record<string, number> = {};
		for (const { target } of this.all) counts[target] = (counts[target] ?? 0) + 1;
		return counts;
	}
}
