import type { ServiceAnswer, ServiceRequest } from './contract';
import type { BiometricEvent } from './notifications';

/** A notification as it arrived. */
export interface Received {
	/** Path and query of the address. */
	address: string;
	contentType: string;
	body: Record<string, unknown>;
}

/** A template of one side, to create documents from. */
export interface OwnTemplate {
	id: string;
	/** Keys of its variables, and those that must have a value. */
	keys: string[];
	required: string[];
}

/** The IDs of what there is on one side, in the order of creation. */
export interface Ids {
	documents: string[];
	registrations: string[];
	identities: string[];
}

/** The model or the sandbox, behind the same controls. */
export interface Side {
	/** IDs are taken over after each call. */
	readonly ids: Ids;
	readonly templates: { v1: OwnTemplate; v2: OwnTemplate; inactive: OwnTemplate };
	call(request: ServiceRequest): Promise<ServiceAnswer>;
	file(address: string): Promise<ServiceAnswer>;
	/** @param who Which of the signatories, counted on from the first after the last. */
	sign(documentID: string, who: number): Promise<void>;
	report(documentID: string, event: BiometricEvent): Promise<void>;
	open(validationId: string): Promise<void>;
	finish(validationId: string, score: 'pass' | 'fail'): Promise<void>;
	/** What arrived since this was last asked, once nothing is under way any more. */
	received(): Promise<Received[]>;
	/** What there is, without IDs. */
	state(): unknown;
}

/** Statuses that the receivers answer with, one after the other; then 200. */
export type Answers = number[];

/** Pauses (ms) before further tries, on both sides. */
export const retries = [20, 40];

/** Adds what is new, and keeps what is gone. */
export function takeOver(known: string[], now: string[]): void {
	known.push(...now.filter((id) => !known.includes(id)));
}

/** A template, from its variables. */
export function ownTemplate(
	id: string,
	variables: Array<{ key: string; isRequired: boolean }>,
): OwnTemplate {
	return {
		id,
		keys: variables.map(({ key }) => key),
		required: variables.filter(({ isRequired }) => isRequired).map(({ key }) => key),
	};
}
