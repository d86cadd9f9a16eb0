import { fits, refuse, type Outcome } from './answers';
import type { ServiceRequest, ServiceDeps } from './contract';
import type { ServiceVariants } from './variants';

/** What `POST /webhooks` registers (docs/dev/service.md#document-event-types). */
export const documentEvents = [
	...(['sendDocument', 'signDocument', 'completedDocument'] as const),
	...(['pendingBiometric', 'failedBiometric', 'failedBiometricRequest'] as const),
];

/** What `POST /webhooks/verify` registers. */
export const identityEvent = 'VERIFICATION_REQUEST_FINISHED';

/** A registration, also after its deletion. */
export interface RegistrationRecord {
	readonly webHookID: string;
	readonly kind: 'document' | 'identity';
	readonly type: string;
	readonly url: string;
	/** Of identity registrations. */
	readonly name: string;
	/** epoch-ms */
	readonly createdAt: number;
	/** epoch-ms; absent while it is there. */
	deletedAt?: number;
}

/** The registered addresses. */
export class Webhooks {
	/** Oldest first, those deleted among them. */
	readonly all: RegistrationRecord[] = [];

	private active: RegistrationRecord[] = [];

	constructor(
		private readonly surroundings: ServiceDeps,
		private readonly variants: ServiceVariants,
	) {}

	/** Those that are there; for an event, or all. */
	current(type?: string): readonly RegistrationRecord[] {
		return type === undefined ? this.active : this.active.filter((each) => each.type === type);
	}

	/** docs/dev/service.md#register-a-document-webhook */
	registerForDocuments({ query }: ServiceRequest): Outcome {
		if (!fits(query, { url: 'string', type: 'string' })) return refuse(400, 'Wrong parameters');
		const { url = '', type = '' } = query;
		const isKnown = (documentEvents as string[]).includes(type);
		return this.register('document', type, isKnown, url, '', 'WebHook Added Successfully');
	}

	/** docs/dev/service.md#register-an-identity-webhook */
	registerForIdentity({ body }: ServiceRequest): Outcome {
		if (!fits(body, { name: 'text', type: 'string', url: 'string' })) {
			return refuse(400, 'The body is not that of a registration');
		}
		const { name, type, url } = body as Record<'name' | 'type' | 'url', string>;
		return this.register('identity', type, type === identityEvent, url, name, 'OK');
	}

	/** docs/dev/service.md#list-webhooks */
	list(): Outcome {
		const listed = this.active.filter(
			({ kind }) => kind === 'document' || this.variants.listsIdentity,
		);
		return { data: listed.map(resourceOf), message: 'Get Successfully' };
	}

	/** docs/dev/service.md#delete-a-webhook */
	delete({ query }: ServiceRequest): Outcome {
		if (!fits(query, { webHookID: 'text' })) return refuse(400, 'webHookID is missing');
		const { deletesIdentity, deletesUnknown } = this.variants;
		const record = this.active.find((each) => each.webHookID === query.webHookID);
		const ruling = record?.kind === 'identity' ? deletesIdentity : record ? '200' : deletesUnknown;
		if (ruling !== '200') return refuse(Number(ruling), 'WebHook not found');
		if (record) {
			record.deletedAt = this.surroundings.now();
			this.active = this.active.filter((each) => each !== record);
		}
		return { data: {}, message: 'Deleted Successfully' };
	}

	private register(
		kind: RegistrationRecord['kind'],
		type: string,
		isKnown: boolean,
		url: string,
		name: string,
		message: string,
	): Outcome {
		if (!isKnown) return refuse(400, 'Unknown event type');
		if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
			return refuse(400, 'url must be a whole http or https address');
		}
		const same = this.active.find((each) => each.type === type && each.url === url);
		if (same && this.variants.sameAgain === 'refused') {
			return refuse(400, 'The address is registered for this event already');
		}
		if (same && this.variants.sameAgain === 'same') return this.answer(same, message);
		const createdAt = this.surroundings.now();
		const record = { webHookID: this.surroundings.id(), kind, type, url, name, createdAt };
		this.all.push(record);
		this.active.push(record);
		return this.answer(record, message);
	}

	private answer(record: RegistrationRecord, message: string): Outcome {
		const { webHookID, ...rest } = resourceOf(record);
		switch (this.variants.registered) {
			case 'whole':
				return { data: { webHookID, ...rest }, message };
			case 'withoutId':
				return { data: rest, message };
			case 'nothing':
				return { data: {}, message };
		}
	}
}

/** docs/dev/service.md#webhook-registration */
function resourceOf(record: RegistrationRecord) {
	const { webHookID, kind, type, url: webHookUrl, name, createdAt: addedOn } = record;
	return kind === 'document'
		? { webHookID, type, addedOn, webHookUrl, options: [] }
		: { webHookID, type, name, webHookUrl, options: [] };
}
