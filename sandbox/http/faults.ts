import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceRefusal } from '../service/refusal';
import type { Fault } from '../types';
import { Waits } from '../util/async';
import type { Clock } from '../util/clock';
import { newId } from '../util/ids';

declare module 'fastify' {
	interface FastifyRequest {
		/** The fault that applies to this call, if any. */
		fault?: Fault;
	}
}

/** What the page shows about a fault that comes from a preset. For other faults, both strings are ''. */
interface FaultTexts {
	title: string;
	/** A sentence that describes what the fault does while it is active. */
	active: string;
}

/** An active fault. */
export interface FaultView extends FaultTexts {
	id: string;
	/** The fault, where `times`, `skip` and `forMs` are what is left of the original values. */
	fault: Fault;
}

interface Entry extends FaultTexts {
	id: string;
	fault: Fault;
	/** How many more calls the fault applies to. */
	left: number;
	skip: number;
	/** When the fault ends, in epoch-ms on the sandbox's clock. */
	until: number;
	/** The IDs of the pauses of the calls that the fault is delaying. */
	delayed: Set<string>;
}

/** Stores the active faults and applies them to calls. */
export class Faults {
	private active: Entry[] = [];
	private readonly waits = new Waits();

	constructor(private readonly clock: Clock) {}

	/**
	 * Sets a fault. When it is removed, the calls that it is delaying continue immediately.
	 * @param texts What the page shows about the fault, if it belongs to a preset.
	 * @returns A function that removes this fault.
	 * @throws ServiceRefusal if the fault has no effect, which would let a test pass without it.
	 */
	set(fault: Fault, texts: FaultTexts = { title: '', active: '' }): () => void {
		if (!fault.response && !fault.reset && !fault.delayMs) {
			throw new ServiceRefusal(400, 'A fault needs a response, a reset, or a delay');
		}
		const entry: Entry = {
			...texts,
			id: newId(),
			fault: structuredClone(fault),
			left: fault.times ?? Infinity,
			skip: fault.skip ?? 0,
			until: fault.forMs === undefined ? Infinity : this.clock.now() + fault.forMs,
			delayed: new Set(),
		};
		this.active.push(entry);
		return () => this.end(entry);
	}

	clear(): void {
		for (const entry of this.active) this.end(entry);
	}

	/** Removes a fault. Does nothing if the fault has already expired. */
	remove(id: string): void {
		for (const entry of this.active) if (entry.id === id) this.end(entry);
	}

	private end(entry: Entry): void {
		this.active = this.active.filter((other) => other !== entry);
		for (const pause of entry.delayed) this.waits.cutShort(pause);
	}

	/**
	 * Returns the active faults, where `times`, `skip` and `forMs` are what is left of the original values.
	 */
	entries(): FaultView[] {
		this.forgetOver();
		return this.active.map(({ id, title, active, fault, left, skip, until }) => ({
			id,
			title,
			active,
			fault: {
				...fault,
				...(Number.isFinite(until) ? { forMs: until - this.clock.now() } : {}),
				...(Number.isFinite(left) ? { times: left } : {}),
				...(skip > 0 || fault.skip !== undefined ? { skip } : {}),
			},
		}));
	}

	/** Returns the active faults without their IDs. */
	list(): Fault[] {
		return this.entries().map(({ fault }) => fault);
	}

	/**
	 * Applies the first fault that matches a call.
	 * @returns true if the fault has sent a response or broken the connection. In either case, the service
	 * must not handle the call.
	 */
	async apply(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
		const entry = this.take(request);
		if (!entry) return false;
		const { fault } = entry;
		request.fault = fault;
		if (fault.delayMs) await this.delay(entry, fault.delayMs);
		if (fault.reset === 'before') {
			reply.hijack();
			breakConnection(request);
			return true;
		}
		if (!fault.response) return false;
		const { status, headers = {}, body } = fault.response;
		await reply.code(status).headers(headers).send(body);
		return true;
	}

	/**
	 * Called after the service has acted. Breaks the connection if the `reset` of the call's fault is
	 * `after`. Returns whether the connection was broken.
	 */
	applyAfter(request: FastifyRequest): boolean {
		if (request.fault?.reset !== 'after') return false;
		breakConnection(request);
		return true;
	}

	private async delay({ delayed }: Entry, ms: number): Promise<void> {
		const pause = newId();
		delayed.add(pause);
		await this.waits.pause(pause, ms);
		delayed.delete(pause);
	}

	/** Ends all delays. */
	close(): void {
		this.waits.stop();
	}

	private forgetOver(): void {
		const now = this.clock.now();
		this.active = this.active.filter(({ until }) => until > now);
	}

	private take(request: FastifyRequest): Entry | undefined {
		this.forgetOver();
		const { method } = request;
		const pattern = (request.routeOptions.url ?? '').replace(/^\/api/, '');
		const names = [`${method} ${pattern}`, `${method} ${request.recorded?.path ?? ''}`];
		const fitting = this.active.filter(({ fault: { endpoint } }) =>
			endpoint.endsWith('*')
				? names.some((name) => name.startsWith(endpoint.slice(0, -1)))
				: names.includes(endpoint),
		);
		const entry = fitting.find(({ skip }) => skip === 0);
		for (const other of fitting) if (other.skip > 0) other.skip -= 1;
		if (!entry) return undefined;
		entry.left -= 1;
		if (entry.left <= 0) this.active = this.active.filter((one) => one !== entry);
		return entry;
	}
}

/**
 * Resets the connection instead of closing it, because a reset is what clients see when a service crashes.
 */
function breakConnection({ raw }: FastifyRequest): void {
	raw.socket.resetAndDestroy();
}
