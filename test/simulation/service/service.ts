import { Files } from './addresses';
import { isRefusal, refusalAnswer, refuse, successAnswer, type Outcome } from './answers';
import type { Notification, ServiceAnswer, ServiceRequest, ServiceDeps } from './contract';
import { Documents } from './documents';
import { Identities, type IdentityRecord, type IdentityScore } from './identity';
import { Notifications, type BiometricEvent } from './notifications';
import { RateLimiter } from './rateLimit';
import { endpointOf, type Endpoint, type EndpointName } from './endpoints';
import { listTemplates } from './templates';
import { Tokens, type TokenRecord } from './tokens';
import type { ServiceVariants } from './variants';
import { Webhooks, type RegistrationRecord } from './webhooks';
import { type DocumentRecord } from './documentOf';

export { apiKey, userId } from './tokens';

/** A call that reached the service. */
export interface CallRecord {
	method: string;
	endpoint: EndpointName;
	/** The HTTP status answered. */
	status: number;
	/** What it means: 200, or the code of the refusal, which can stand inside an HTTP 200. */
	code: number;
	/** epoch-ms */
	at: number;
}

/**
 * The service, with one account: all of the interface, without a network. It acts at once. What its
 * answers and notifications hold may be shared: whoever hands it to a node makes it JSON first.
 */
export class ServiceModel {
	/** Every call, in the order of arrival. */
	readonly calls: CallRecord[] = [];

	/** Takes the notifications that a call brings about (`sendDocument`), before it is answered. */
	onNotifications: (notifications: Notification[]) => void = () => undefined;

	private readonly tokenStore: Tokens;

	private readonly webhooks: Webhooks;

	private readonly documentStore: Documents;

	private readonly identities: Identities;

	private readonly files: Files;

	private readonly notifications: Notifications;

	readonly limiter: RateLimiter;

	constructor(
		private readonly surroundings: ServiceDeps,
		private readonly variants: ServiceVariants,
	) {
		this.tokenStore = new Tokens(surroundings, variants);
		this.webhooks = new Webhooks(surroundings, variants);
		this.documentStore = new Documents(surroundings, variants);
		this.identities = new Identities(surroundings, variants);
		this.files = new Files(surroundings, variants.fileSeconds);
		this.notifications = new Notifications(surroundings, variants, this.webhooks, this.files);
		this.limiter = new RateLimiter(surroundings, variants);
	}

	/** Oldest first. */
	get documents(): readonly DocumentRecord[] {
		return this.documentStore.all;
	}

	/** Oldest first. */
	get identityRequests(): readonly IdentityRecord[] {
		return this.identities.all;
	}

	/** Oldest first, those deleted among them. */
	get registrations(): readonly RegistrationRecord[] {
		return this.webhooks.all;
	}

	/** Those that are there. */
	get activeRegistrations(): readonly RegistrationRecord[] {
		return this.webhooks.current();
	}

	/** Oldest first. */
	get tokens(): readonly TokenRecord[] {
		return this.tokenStore.issued;
	}

	/** Takes a call and acts on it. */
	answer(request: ServiceRequest): ServiceAnswer {
		const { endpoint, id } = endpointOf(request.method, request.path);
		const { name } = endpoint;
		const outcome = this.handle(request, endpoint, id);
		const answer = isRefusal(outcome)
			? refusalAnswer(outcome, this.variants.refusal)
			: successAnswer(outcome);
		const code = isRefusal(outcome) ? outcome.code : 200;
		const at = this.surroundings.now();
		this.calls.push({ method: request.method, endpoint: name, status: answer.status, code, at });
		return answer;
	}

	/** The answer to a download from one of the addresses in a notification; no header is needed. */
	file(url: string): ServiceAnswer {
		return this.files.download(url);
	}

	/**
	 * One signatory signs; with the last signature the document is completed.
	 * @returns What follows; nothing if they had signed before.
	 * @throws Error when there is no such document, or no such signatory of it.
	 */
	sign(documentID: string, email: string): Notification[] {
		const record = this.documentStore.existing(documentID);
		const signatory = this.documentStore.sign(record, email);
		if (!signatory) return [];
		const { completesFirst } = this.variants;
		let isComplete = completesFirst && this.documentStore.complete(record);
		const signed = this.notifications.signed(record, signatory);
		isComplete ||= this.documentStore.complete(record);
		return isComplete ? [...signed, ...this.notifications.completed(record)] : signed;
	}

	/** All who have not signed yet do. */
	signAll(documentID: string): Notification[] {
		const { signatories } = this.documentStore.existing(documentID);
		return signatories.flatMap(({ email }) => this.sign(documentID, email));
	}

	/** A check within a signature is reported. A failed one may keep the document from completion. */
	reportBiometric(documentID: string, event: BiometricEvent): Notification[] {
		const record = this.documentStore.existing(documentID);
		if (event === 'failedBiometric') record.hasFailedCheck = true;
		return this.notifications.biometric(event, record);
	}

	/** The person opens the link of an identity request; nobody is told. */
	openIdentity(validationId: string): void {
		const record = this.identities.existing(validationId);
		if (record.finishedAt === undefined) record.status = this.variants.openedStatus;
	}

	/**
	 * The person is done.
	 * @returns What follows; nothing if they were done before.
	 * @throws Error when there is no such request.
	 */
	finishIdentity(
		validationId: string,
		status: string = this.variants.finishedStatus,
		score: IdentityScore = 'pass',
	): Notification[] {
		const record = this.identities.existing(validationId);
		if (record.finishedAt !== undefined) return [];
		Object.assign(record, { status, score, finishedAt: this.surroundings.now() });
		return this.notifications.identityFinished(record);
	}

	/** The address of a document's file, as a notification would carry it now. */
	addressOf(documentID: string): string {
		return this.files.address(documentID, 'document');
	}

	/**
	 * Ends a document or an identity request, if it is not over, and tells all who are registered now,
	 * whoever has been told before.
	 */
	endAndTell(id: string): Notification[] {
		const record = this.documents.find(({ documentID }) => documentID === id);
		if (record) {
			this.signAll(id);
			return record.status === 'COMPLETED' ? this.notifications.completed(record) : [];
		}
		this.finishIdentity(id);
		return this.notifications.identityFinished(this.identities.existing(id));
	}

	/** All tokens end, as when the service restarts. */
	endTokens(): void {
		this.tokenStore.endAll();
	}

	/** Each call is counted against the limit first, then let in or not, and only then acted on. */
	private handle(request: ServiceRequest, { name, access, body }: Endpoint, id: string): Outcome {
		if (!this.limiter.letsThrough()) return this.limiter.refusal();
		if (name === 'unknown') return refuse(404, 'No such endpoint');
		const barred = this.tokenStore.check(request, access);
		if (barred) return barred;
		const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
		if (body === 'json' && (request.body === undefined || !isJson)) {
			return refuse(400, 'The body is missing or not declared as JSON');
		}
		if (body === 'none' && request.body !== undefined) {
			return refuse(400, 'This endpoint takes no body');
		}
		if (!withParameters.has(name) && Object.keys(request.query).length > 0) {
			return refuse(400, 'This endpoint takes no parameters');
		}
		return this.act(name, request, id);
	}

	private act(name: EndpointName, request: ServiceRequest, id: string): Outcome {
		switch (name) {
			case 'token':
				return this.tokenStore.exchange(request);
			case 'register':
				return this.webhooks.registerForDocuments(request);
			case 'registerIdentity':
				return this.webhooks.registerForIdentity(request);
			case 'list':
				return this.webhooks.list();
			case 'delete':
				return this.webhooks.delete(request);
			case 'requestIdentity':
				return this.identities.create(request);
			case 'getIdentity':
				return this.identities.get(id);
			case 'getResults':
				return this.identities.results(id);
			case 'templatesV1':
				return listTemplates('v1', this.variants);
			case 'templatesV2':
				return listTemplates('v2', this.variants);
			case 'createV1':
				return this.create('v1', request);
			case 'createV2':
				return this.create('v2', request);
			case 'unknown':
				return refuse(404, 'No such endpoint');
		}
	}

	private create(version: 'v1' | 'v2', { body }: ServiceRequest): Outcome {
		const made = this.documentStore.create(version, body);
		if (!('documentID' in made)) return made;
		const notifications = this.notifications.sent(made);
		if (notifications.length > 0) this.onNotifications(notifications);
		return this.documentStore.answer(made);
	}
}

const withParameters = new Set<EndpointName>(['register', 'list', 'delete']);
