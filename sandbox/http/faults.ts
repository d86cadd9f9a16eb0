import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../types';
import { Waits } from '../util/async';
import type { Clock } from '../util/clock';
import { newId } from '../util/ids';

declare module 'fastify' {
	interface FastifyRequest {
		/** The fault that hits this call, if one does. */
		fault?: Fault;
	}
}

/** A fault in force. */
interface FaultView {
	id: string;
	/** What people call it; '' for a fault without a name. */
	title: string;
	/** `times`, `skip` and `forMs` are what is left. */
	fault: Fault;
}

interface Entry {
	id: string;
	title: string;
	fault: Fault;
	/** How many calls it still hits. */
	left: number;
	skip: number;
	/** epoch-ms by the sandbox's clock. */
	until: number;
}

/** The faults that were set, and what they do to a call. */
export class Faults {
	private active: Entry[] = [];
	private readonly waits = new Waits();

	constructor(private readonly clock: Clock) {}

	/**
	 * @param title What people call it, where it has a name.
	 * @returns What takes this fault away again.
	 */
	set(fault: Fault, title = ''): () => void {
		const entry: Entry = {
			id: newId(),
			title,
			fault: structuredClone(fault),
			left: fault.times ?? Infinity,
			skip: fault.skip ?? 0,
			until: fault.forMs === undefined ? Infinity : this.clock.now() + fault.forMs,
		};
		this.active.push(entry);
		return () => {
			this.active = this.active.filter((one) => one !== entry);
		};
	}

	clear(): void {
		this.active = [];
	}

	/** Takes one fault away; it is no mistake when it has run out meanwhile. */
	remove(id: string): void {
		this.active = this.active.filter((entry) => entry.id !== id);
	}

	/** Those still in force, `times`, `skip` and `forMs` being what is left. */
	entries(): FaultView[] {
		this.forgetOver();
		return this.active.map(({ id, title, fault, left, skip, until }) => ({
			id,
			title,
			fault: {
				...fault,
				...(Number.isFinite(until) ? { forMs: until - this.clock.now() } : {}),
				...(Number.isFinite(left) ? { times: left } : {}),
				...(skip > 0 || fault.skip !== undefined ? { skip } : {}),
			},
		}));
	}

	/** The same without their ids. */
	list(): Fault[] {
		return this.entries().map(({ fault }) => fault);
	}

	/**
	 * Applies the first fault that fits to a call which reached the service.
	 * @returns true when the call is answered or broken by it, so that the service must not act.
	 */
	async apply(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
		const fault = this.take(request);
		if (!fault) return false;
		request.fault = fault;
		if (fault.delayMs) await this.waits.pause(newId(), fault.delayMs);
		if (fault.reset === 'before') {
			reply.hijack();
			breakConnection(request);
			return true;
		}
		if (!fault.answer) return false;
		const { status, headers = {}, body } = fault.answer;
		await reply.code(status).headers(headers).send(body);
		return true;
	}

	/** Breaks the connection where a fault wants that after the service acted. Says whether it did. */
	applyAfter(request: FastifyRequest): boolean {
		if (request.fault?.reset !== 'after') return false;
		breakConnection(request);
		return true;
	}

	/** Ends all delays. */
	close(): void {
		this.waits.stop();
	}

	private forgetOver(): void {
		const now = this.clock.now();
		this.active = this.active.filter(({ until }) => until > now);
	}

	private take(request: FastifyRequest): Fault | undefined {
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
		return entry.fault;
	}
}

/** A reset, not a tidy end: that is what a client sees when a service dies. */
function breakConnection({ raw }: FastifyRequest): void {
	raw.socket.resetAndDestroy();
}
