import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { FastifyReply } from 'fastify';

import {
	contract,
	type EndpointParts,
	bad,
	type Envelope,
} from '../../../sandbox/contract/endpoints';
import { seedTemplates } from '../../../sandbox/demo/papers/templates';
import { checkAccess, checkBody, RateLimit } from '../../../sandbox/http/access';
import { NothingSchema } from '../../../sandbox/schemas';
import { Account } from '../../../sandbox/service/account';
import type { Deliveries } from '../../../sandbox/service/deliveries';
import { Documents, type Files, type Mailer } from '../../../sandbox/service/documents';
import { Events } from '../../../sandbox/service/events';
import type { Identity } from '../../../sandbox/service/identity';
import { isFileKind, Links } from '../../../sandbox/service/links';
import { ServiceRefusal } from '../../../sandbox/service/refusal';
import type { Registrations } from '../../../sandbox/service/registrations';
import { Settings } from '../../../sandbox/service/settings';
import { Templates } from '../../../sandbox/service/templates';
import type {
	DocumentRecord,
	IdentityRecord,
	RegistrationRecord,
} from '../../../sandbox/state/records';
import { Store } from '../../../sandbox/state/store';
import { Activity } from '../../../sandbox/util/async';
import { type CalledEndpoint, endpointOf } from '../../support/endpoints';
import { serviceOrigin } from '../network';
import type { Accounts } from './accounts';
import { type ServiceResponse, type ServiceRequest, owners } from './contract';
import { VariedIdentity, VariedRegistrations } from './parts';
import { asSent, asVaried, optionsOf, type ServiceVariants } from './variants';

/** A document or an identity request. */
export interface Created {
	kind: 'document' | 'identity';
	id: string;
	/** The email address of the first recipient. */
	email: string;
	account: number;
}

/** The records that all accounts share. */
type Happened = Pick<Accounts, 'registered' | 'tokens' | 'onNotifications'>;

/** All services share these templates, because nothing changes them. */
const templates = new Templates(seedTemplates(), new Store());

/**
 * One account of the service. It handles calls with the sandbox's own code, but without a network, emails or
 * PDF files. Where the API does not define the behavior, the variants decide (variants.ts).
 */
export class Service implements EndpointParts {
	readonly account: Account;

	readonly links: Links;

	readonly registrations: Registrations;

	readonly documents: Documents;

	readonly identity: Identity;

	readonly templates = templates;

	readonly settings: Settings;

	private readonly events: Events;

	private readonly rateLimit: RateLimit;

	readonly store = new Store();

	/** The status in the body of each event that is sent; undefined for the document's own status. */
	private reportedStatus: string | undefined;

	constructor(
		readonly variants: ServiceVariants,
		readonly number: number,
		readonly happened: Happened,
	) {
		const { store } = this;
		const clock = store.clock();
		this.settings = new Settings(optionsOf(variants));
		const { registered } = happened;
		this.account = new Account(store, { ...owners[number] }, this.settings, clock);
		this.links = new Links(() => this.account.fileKey, variants.fileSeconds / 60, clock);
		this.links.root = serviceOrigin;
		const onRegistered = (record: RegistrationRecord) => void registered.push(record);
		this.registrations = new VariedRegistrations(variants, onRegistered, store, clock);
		const deliveries = { send: this.send.bind(this) } as unknown as Deliveries;
		this.events = new Events(
			this.registrations,
			deliveries,
			this.account,
			this.links,
			this.settings,
			clock,
		);
		const { account, links, events } = this;
		const basis = { store, clock, account, links, events };
		const mailer: Mailer = { invite: async () => await Promise.resolve(undefined), stopped: false };
		const files = { print: async () => await Promise.resolve(pdf) } as unknown as Files;
		const activity = new Activity();
		const deps = { ...basis, templates, files, mailer, activity, settings: this.settings };
		this.documents = new Documents(deps);
		this.identity = new VariedIdentity(variants, basis);
		this.rateLimit = new RateLimit(this.settings);
	}

	/** The existing webhooks, oldest first. */
	get webhooks(): RegistrationRecord[] {
		return this.store.registrations.all();
	}

	/** Oldest first. */
	get documentRecords(): DocumentRecord[] {
		return this.store.documents.all();
	}

	/** Oldest first. */
	get identityRecords(): IdentityRecord[] {
		return this.store.identityRequests.all();
	}

	/** All documents, then all identity requests, each with its first recipient. */
	get created(): Created[] {
		const account = this.number;
		return [
			...this.documentRecords.map(({ documentID: id, signatories: [first] }) => {
				return { kind: 'document' as const, id, email: first?.email ?? '', account };
			}),
			...this.identityRecords.map(({ validationId: id, email }) => {
				return { kind: 'identity' as const, id, email, account };
			}),
		];
	}

	/** Handles a call the way `sandbox/http` does. */
	respondTo(request: ServiceRequest): ServiceResponse {
		const found = endpointOf(request.method, request.path);
		const headers: Record<string, string> = { 'content-type': 'application/json' };
		const response: ServiceResponse & { body: Envelope } = {
			status: 200,
			headers,
			body: {} as Envelope,
		};
		try {
			response.body = this.act(request, found, headers);
		} catch (error) {
			if (!(error instanceof ServiceRefusal)) throw error;
			response.status = error.httpStatus;
			response.body = bad(error.status, error.message);
			if (error.breaksInterface) response.violation = error.message;
		}
		return { ...response, body: asVaried(response.body, found?.name, this.variants) };
	}

	/** Carries out a call after counting it toward the rate limit and checking its headers. */
	private act(
		request: ServiceRequest,
		found: CalledEndpoint | undefined,
		responseHeaders: Record<string, string>,
	): Envelope {
		const { headers, bodyText, query } = request;
		const header = (name: string, value: string) => (responseHeaders[name.toLowerCase()] = value);
		this.rateLimit.check({ header } as unknown as FastifyReply);
		if (!found) throw new ServiceRefusal(404, 'No such endpoint');
		const endpoint = contract[found.name];
		checkAccess(request, endpoint.access, this);
		checkBody(request, endpoint.body !== undefined);
		const body: unknown = endpoint.body && JSON.parse(bodyText);
		const fits =
			checkOf(endpoint.query ?? NothingSchema).Check(query) &&
			(!endpoint.body || checkOf(endpoint.body).Check(body));
		if (!fits) throw new ServiceRefusal(400, 'Not what the contract describes');
		// Every endpoint returns `responseData`. asVaried later removes `responseData` if a variant requires
		// that.
		const envelope = endpoint.act(this, { query, params: found.params, body, headers }) as Envelope;
		const { accessToken } = envelope.responseData as { accessToken?: string };
		if (accessToken) this.happened.tokens.push(accessToken);
		return envelope;
	}

	/** Returns the response to a download from a URL in a notification. Downloads do not need headers. */
	file(url: string): ServiceResponse {
		const { pathname, searchParams } = new URL(url);
		const [, , documentID = '', name = ''] = pathname.split('/');
		const kind = name.replace(/\.pdf$/, '');
		const [expires, signature] = ['expires', 'signature'].map((key) => searchParams.get(key));
		const checked = isFileKind(kind)
			? this.links.check(documentID, kind, expires ?? '', signature ?? '')
			: 'forged';
		if (checked === 'good') {
			return { status: 200, headers: { 'content-type': 'application/pdf' }, body: String(pdf) };
		}
		const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>${checked}</Message></Error>`;
		return { status: 403, headers: { 'content-type': 'application/xml' }, body };
	}

	/**
	 * Signs a document on behalf of everyone who has not signed yet.
	 * @throws Error if the document does not exist.
	 */
	async sign(documentID: string): Promise<void> {
		const record = this.documents.existing(documentID);
		for (const signatory of record.signatories) {
			if (signatory.signedAt !== undefined) continue;
			// Signing links do not expire here, because no guarantee depends on their age.
			signatory.linkExpiresAt = Infinity;
			const signature = { kind: 'typed' as const, text: signatory.name };
			await this.documents.sign(signatory.token, { signature, answers: {}, sourceIP: '' });
		}
	}

	/** Finishes a person's identity verification. Does nothing if it is already finished. */
	finishIdentity(validationId: string): void {
		const record = this.identity.existing(validationId);
		if (record.status === 'COMPLETED') return;
		this.identity.complete(record, 'pass');
	}

	/**
	 * Completes a document or a verification if it is still open. Then sends the result to all currently
	 * registered webhooks.
	 */
	async endAndTell({ kind, id }: Created): Promise<void> {
		if (kind === 'document') {
			await this.sign(id);
			const record = this.documents.existing(id);
			this.events.completed(record);
			return;
		}
		this.finishIdentity(id);
		this.events.identityFinished(this.identity.existing(id));
	}

	/**
	 * Reports an open document with the event for completed documents, with this status, and as if everyone had
	 * signed.
	 */
	reportStatus(documentID: string, status: string): void {
		const record = this.documents.existing(documentID);
		this.reportedStatus = status;
		this.events.completed(record);
		this.reportedStatus = undefined;
	}

	liftRateLimit(): void {
		this.settings.set({ rateLimit: null });
	}

	/** Replaces the sandbox's own delivery: passes a notification on to the simulation, which delivers it. */
	private send(webhook: RegistrationRecord, about: string, json: string): object {
		const { webHookID, webHookUrl: url, type: event } = webhook;
		const { contentType } = this.variants;
		const body = asSent(JSON.parse(json) as Record<string, unknown>, this.variants);
		if (this.reportedStatus !== undefined) {
			const document = body.Document as { signatory: object[] };
			const signatory = document.signatory.map((entry) => ({ ...entry, isSigned: 1 }));
			body.Document = { ...document, signatory, status: this.reportedStatus };
		}
		this.happened.onNotifications([{ webHookID, url, event, about, body, contentType }]);
		return {};
	}
}

/** The compiled schemas. They are shared, because the simulation creates thousands of services. */
const checks = new Map<TSchema, TypeCheck<TSchema>>();

function checkOf(schema: TSchema): TypeCheck<TSchema> {
	const check = checks.get(schema) ?? TypeCompiler.Compile(schema);
	checks.set(schema, check);
	return check;
}

const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
