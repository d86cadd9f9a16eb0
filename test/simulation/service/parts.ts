import { Identity, type IdentityDeps } from '../../../sandbox/service/identity';
import { ServiceRefusal } from '../../../sandbox/service/refusal';
import { asRegistration, Registrations } from '../../../sandbox/service/registrations';
import type { WebhookRegistration } from '../../../sandbox/schemas';
import type { RegistrationRecord } from '../../../sandbox/state/records';
import type { Store } from '../../../sandbox/state/store';
import type { Clock } from '../../../sandbox/util/clock';
import type { ServiceVariants } from './variants';

/*
 * These classes replace the parts of the sandbox that its endpoints act on. They report their actions to the
 * simulation and follow the variants where the API leaves the behavior open (variants.ts).
 */

/** Returns a verification's results only after a delay, which starts when the person finishes. */
export class VariedIdentity extends Identity {
	/** When each person finished, in epoch-ms. */
	private readonly finishedAt = new Map<string, number>();

	constructor(
		private readonly variants: ServiceVariants,
		deps: IdentityDeps,
	) {
		super(deps);
	}

	override complete(...given: Parameters<Identity['complete']>): void {
		const [{ validationId }] = given;
		this.finishedAt.set(validationId, Date.now());
		super.complete(...given);
	}

	override results(sessionId: string): ReturnType<Identity['results']> {
		const finished = this.finishedAt.get(sessionId) ?? Infinity;
		if (Date.now() < finished + this.variants.resultsAfter * 1000) {
			throw new ServiceRefusal(404, 'Session results not found');
		}
		return super.results(sessionId);
	}
}

/** Reports each webhook that it registers. */
export class VariedRegistrations extends Registrations {
	/** The deleted webhooks, each with the time of its deletion (epoch-ms). */
	private readonly deleted: Array<{ record: RegistrationRecord; at: number }> = [];

	constructor(
		private readonly variants: ServiceVariants,
		private readonly onRegistered: (record: RegistrationRecord) => void,
		private readonly data: Store,
		clock: Clock,
	) {
		const { listsIdentity, deletesIdentity } = variants;
		super(data, { listIdentity: listsIdentity, deleteIdentity: deletesIdentity }, clock);
	}

	private get records(): RegistrationRecord[] {
		return this.data.registrations.all();
	}

	override addForDocuments(type: string, url: string): RegistrationRecord {
		return this.addVaried(type, url, (kept) => super.addForDocuments(type, kept));
	}

	override addForIdentity(type: string, url: string, name: string): RegistrationRecord {
		return this.addVaried(type, url, (kept) => super.addForIdentity(type, kept, name));
	}

	/** Returns the list of webhooks. If the variants delay the list, it shows an earlier state. */
	override listed(): WebhookRegistration[] {
		const { listedAfter, listsTwice, listsIdentity } = this.variants;
		const then = Date.now() - listedAfter * 1000;
		const stale = this.deleted.filter(({ at }) => at > then).map(({ record }) => record);
		const listed = [...stale, ...this.records]
			.filter(({ addedOn, kind }) => addedOn <= then && (kind === 'document' || listsIdentity))
			.map(asRegistration);
		return listsTwice ? [...listed, ...listed] : listed;
	}

	override remove(webHookID: string): void {
		const { deletesUnknown } = this.variants;
		const record = this.data.registrations.get(webHookID);
		if (!record && deletesUnknown === 400) throw new ServiceRefusal(400, 'Deleted already');
		if (!record && deletesUnknown === 200) return;
		super.remove(webHookID);
		if (record) this.deleted.push({ record, at: Date.now() });
	}

	/** Registers a URL. If the URL is already registered, the variants decide what happens. */
	private addVaried(
		type: string,
		given: string,
		add: (url: string) => RegistrationRecord,
	): RegistrationRecord {
		const { sameAgain, sortsQuery } = this.variants;
		const url = sortsQuery ? withSortedQuery(given) : given;
		const same = this.records.find(
			(webhook) => webhook.type === type && webhook.webHookUrl === url,
		);
		if (same && sameAgain === 'refused') throw new ServiceRefusal(400, 'Registered already');
		if (same && sameAgain === 'same') return same;
		const record = add(url);
		this.onRegistered(record);
		return record;
	}
}

function withSortedQuery(address: string): string {
	const url = new URL(address);
	url.searchParams.sort();
	return url.href;
}
