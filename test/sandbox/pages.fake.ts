import Fastify, { type FastifyInstance } from 'fastify';
import { registerPages } from '../../sandbox/pages';
import {
	PageRefusal,
	type Connection,
	type ConsoleView,
	type FaultView,
	type ListName,
	type ListPage,
	type ListRows,
	type ImageKind,
	type UploadedImage,
	type IdentitySession,
	type PagesBackend,
	type SigningSession,
} from '../../sandbox/views';
import { changeClock } from '../../sandbox/service/changeClock';
import { faultPresets } from '../../sandbox/service/presets';
import { scenarioInfos } from '../../sandbox/seed/scenarios';
import { Settings } from '../../sandbox/service/settings';
import type { EventType } from '../../sandbox/schemas';
import {
	type ClockChange,
	type ClockState,
	type Fault,
	type FaultPreset,
	type SandboxSettings,
	type ScenarioInfo,
	type SettingsChange,
	type MailView,
	type SignatureInput,
	type IdentityOutcome,
	type IdentityScores,
} from '../../sandbox/types';

import { Clock } from '../../sandbox/util/clock';
import { AT, consoleView, mail, session, template } from './pages.samples';

export * from './pages.samples';

/** A backend in memory that records what the pages asked of it. */
export class FakeBackend implements PagesBackend {
	readonly mailList: MailView[] = [mail()];
	readonly files: Array<{ fileName: string; mimeType: string; content: Buffer }> = [
		{ fileName: 'terms.pdf', mimeType: 'application/pdf', content: Buffer.from('%PDF-fake') },
	];
	readonly sessions = new Map<string, SigningSession>();
	readonly identities = new Map<string, IdentitySession>();
	readonly signed: SignatureInput[] = [];
	readonly outcomes: IdentityOutcome[] = [];
	readonly scores: IdentityScores[] = [];
	readonly images = new Map<string, UploadedImage>();
	readonly resent: string[] = [];
	readonly fired: Array<[EventType, string]> = [];
	readonly presetsSet: string[] = [];
	readonly faultList: Fault[] = [];
	readonly loaded: unknown[] = [];
	readonly changes: SettingsChange[] = [];
	readonly time = new Clock();
	private readonly set = new Settings({}).current;
	/** Thrown by `sign` when set. */
	refuse?: Error;
	view: ConsoleView = consoleView();
	reached: Connection = {
		baseUrl: 'http://127.0.0.1:4000/api',
		userId: 'user-1',
		apiKey: 'key-of-user-1',
		smtp: { host: '127.0.0.1', port: 2525 },
	};

	constructor() {
		const signatory = { name: 'Ana Pereira', email: 'ana@example.com', signedAt: AT };
		for (const one of [
			session(),
			session({ token: 'tok-expired', expired: true }),
			session({ token: 'tok-signed', signatory }),
			session({ token: 'tok-plain', template: template('employment_contract'), others: [] }),
		]) {
			this.sessions.set(one.token, one);
		}
		for (const [token, status] of [
			['id-open', 'CREATED'],
			['id-done', 'COMPLETED'],
		] as const) {
			const identity = { token, email: 'ana@example.com', type: 'FACE', status };
			this.identities.set(token, { ...identity, backgroundCheck: true, images: {} });
		}
	}

	mails(): MailView[] {
		return this.mailList;
	}

	mail(id: string): MailView | undefined {
		return this.mailList.find((one) => one.id === id);
	}

	attachment(id: string, index: number) {
		return this.mail(id) && this.files[index];
	}

	signingSession(token: string): SigningSession | undefined {
		return this.sessions.get(token);
	}

	async sign(token: string, input: SignatureInput): Promise<SigningSession> {
		const found = this.sessions.get(token);
		if (this.refuse) throw this.refuse;
		if (!found) throw new PageRefusal('unknown link');
		this.signed.push(input);
		const signed = { ...found, signatory: { ...found.signatory, signedAt: AT } };
		this.sessions.set(token, signed);
		return signed;
	}

	identitySession(token: string): IdentitySession | undefined {
		return this.identities.get(token);
	}

	async completeIdentity(
		token: string,
		outcome: IdentityOutcome,
		scores: IdentityScores,
	): Promise<IdentitySession> {
		const found = this.identities.get(token);
		if (!found) throw new PageRefusal('unknown link');
		this.outcomes.push(outcome);
		this.scores.push(scores);
		const done = { ...found, status: outcome === 'manualReview' ? 'IN_PROGRESS' : 'COMPLETED' };
		this.identities.set(token, done);
		return done;
	}

	keepImages(token: string, images: Partial<Record<ImageKind, UploadedImage>>): void {
		const found = this.identities.get(token);
		if (!found) return;
		for (const kind of ['id', 'selfie'] as const) {
			const image = images[kind];
			if (!image) continue;
			this.images.set(`${token}/${kind}`, image);
			found.images[kind] = { fileName: image.fileName, size: image.content.length };
		}
	}

	identityImage(token: string, kind: ImageKind): UploadedImage | undefined {
		return this.images.get(`${token}/${kind}`);
	}

	connection(): Connection {
		return this.reached;
	}

	console(): ConsoleView {
		return this.view;
	}

	list<N extends ListName>(name: N, query: { search: string; page: number }): ListPage<N> {
		const templates: ListRows['templates'] = [];
		const rows = { ...this.view, templates }[name];
		const { length: total } = rows;
		const page = { name, rows, total, found: total, page: query.page, pages: 3 };
		return { ...page, search: query.search };
	}

	resend(id: string): void {
		if (!this.view.deliveries.some((one) => one.id === id)) throw new PageRefusal('not here');
		this.resent.push(id);
	}

	async fire(type: EventType, id: string): Promise<number> {
		if (id === 'unknown') throw new PageRefusal('Document not found');
		this.fired.push([type, id]);
		return this.view.registrations.filter((one) => one.type === type).length;
	}

	faults(): FaultView[] {
		return this.faultList.map((fault, index) => ({ id: String(index), title: '', fault }));
	}

	presets(): FaultPreset[] {
		return faultPresets();
	}

	setPreset(name: string): void {
		if (!faultPresets().some((one) => one.name === name)) throw new PageRefusal('No such preset');
		this.presetsSet.push(name);
	}

	setFault(fault: Fault): void {
		this.faultList.push(fault);
	}

	removeFault(id?: string): void {
		if (id === undefined) this.faultList.length = 0;
		else this.faultList.splice(Number(id), 1);
	}

	clock(): ClockState {
		return this.time.state();
	}

	setClock(change?: ClockChange): void {
		if (change) changeClock(this.time, change);
		else this.time.reset();
	}

	scenarios(): ScenarioInfo[] {
		return scenarioInfos();
	}

	async loadScenario(name: string): Promise<void> {
		if (!scenarioInfos().some((one) => one.name === name))
			throw new PageRefusal(`No scenario ${name}`);
		this.loaded.push(name);
	}

	async loadState(state: unknown): Promise<void> {
		if (this.refuse) throw this.refuse;
		this.loaded.push(state);
	}

	settings(): SandboxSettings {
		return structuredClone(this.set);
	}

	setSettings(change: SettingsChange): void {
		this.changes.push(change);
	}
}

/** The pages over a fake backend, anew for each test of the calling file. */
export function usePages(): { app: FastifyInstance; backend: FakeBackend } {
	const stage = {} as { app: FastifyInstance; backend: FakeBackend };
	beforeEach(async () => {
		stage.backend = new FakeBackend();
		stage.app = Fastify();
		stage.app.get('/api/thing', async () => ({ ok: true }));
		await registerPages(stage.app, stage.backend);
	});
	afterEach(() => stage.app.close());
	return stage;
}
