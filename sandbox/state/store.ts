import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Clock } from '../util/clock';
import { newSecret } from '../util/ids';
import { Collection } from './collection';
import { lockFolder, type FolderLock } from './lock';
import { readRecords, removeRecord, syncFolder, writeRecord } from './files';
import type {
	AccountRecord,
	DeliveryRecord,
	DocumentRecord,
	IdentityRecord,
	ImageRecord,
	MailRecord,
	RegistrationRecord,
	StateContent,
} from './records';

const ACCOUNT = 'account';

/**
 * The whole state of a sandbox. With a data folder, each record is a JSON file of its own there
 * (`documents/<id>.json`), so that a change costs one small file however much there is; without,
 * it is in memory only.
 */
export class Store {
	/** Changed sets, in the order of writing: an event is saved before what it tells about. */
	private readonly dirty = new Map<string, Set<string>>();
	private scheduled = false;
	private writing: Promise<void> | undefined;
	private next: Promise<void> | undefined;

	private readonly account = this.collection<AccountRecord>('account');
	readonly deliveries = this.collection<DeliveryRecord>('deliveries');
	readonly documents = this.collection<DocumentRecord>('documents');
	readonly identityRequests = this.collection<IdentityRecord>('identity-requests');
	readonly images = this.collection<ImageRecord>('identity-images');
	readonly registrations = this.collection<RegistrationRecord>('webhooks');
	readonly mails = this.collection<MailRecord>('mails');

	/** What the last write failed with; undefined while saving works. */
	saveError: string | undefined;

	private lock: FolderLock | undefined;

	private constructor(private readonly folder: string | undefined) {}

	/**
	 * Opens the state.
	 * @param folder Created when missing, readable by its owner only: it holds the account's key.
	 * @throws FolderInUseError when another sandbox uses the folder; Error naming the file, when one
	 *   of the folder's files cannot be read.
	 */
	static async open(folder: string | undefined): Promise<Store> {
		const store = new Store(folder);
		if (folder === undefined) return store;
		await mkdir(folder, { recursive: true, mode: 0o700 });
		store.lock = lockFolder(folder);
		try {
			await store.load(folder);
			return store;
		} catch (error) {
			store.release();
			throw error;
		}
	}

	/** Whether nothing was kept here before. */
	get isNew(): boolean {
		return this.account.size === 0;
	}

	/** All that there is, except the account. */
	content(): StateContent {
		return {
			documents: this.documents.snapshot(),
			'identity-requests': this.identityRequests.snapshot(),
			'identity-images': this.images.snapshot(),
			webhooks: this.registrations.snapshot(),
			deliveries: this.deliveries.snapshot(),
			mails: this.mails.snapshot(),
		};
	}

	/** Puts other records in the place of all there are. The account stays. */
	replaceContent(content: StateContent): void {
		this.documents.replace(content.documents);
		this.identityRequests.replace(content['identity-requests']);
		this.images.replace(content['identity-images']);
		this.registrations.replace(content.webhooks);
		this.deliveries.replace(content.deliveries);
		this.mails.replace(content.mails);
	}

	/** Says where the sandbox that uses the folder can be found. */
	announce(url: string): void {
		this.lock?.announce(url);
	}

	/** Lets others use the folder. */
	release(): void {
		this.lock?.release();
		this.lock = undefined;
	}

	/** The account; made up on first use where the folder brought none. */
	accountRecord(): AccountRecord {
		let record = this.account.get(ACCOUNT);
		if (!record) {
			record = { userId: '', apiKey: '', fileKey: newSecret(), tokens: {} };
			this.account.put(ACCOUNT, record);
		}
		return record;
	}

	/** The sandbox's clock, as it was left. */
	clock(): Clock {
		const record = (this.accountRecord().clock ??= { offset: 0 });
		return new Clock(record, () => this.accountChanged());
	}

	/** To be called after changing the account in place. */
	accountChanged(): void {
		this.account.put(ACCOUNT, this.accountRecord());
	}

	/**
	 * Resolves when everything changed so far is on the disk; at once without a data folder.
	 * Calls during a write share the one that follows it.
	 * @throws the file system's error; the changes stay marked, and the next call tries again.
	 */
	flush(): Promise<void> {
		if (this.folder === undefined) return Promise.resolve();
		if (this.writing) {
			this.next ??= this.writing
				.catch(() => {})
				.then(() => {
					this.next = undefined;
					return this.flush();
				});
			return this.next;
		}
		if (![...this.dirty.values()].some((ids) => ids.size > 0)) return Promise.resolve();
		this.writing = this.write(this.folder).finally(() => (this.writing = undefined));
		return this.writing;
	}

	private collection<T>(name: string): Collection<T> {
		const ids = new Set<string>();
		this.dirty.set(name, ids);
		return new Collection<T>(name, (id) => {
			if (this.folder === undefined) return;
			ids.add(id);
			this.schedule();
		});
	}

	/** Saves soon what no answer waits for, such as the attempts of a delivery. */
	private schedule(): void {
		if (this.scheduled) return;
		this.scheduled = true;
		setImmediate(() => {
			this.scheduled = false;
			// The reason is kept in saveError, and thrown at whoever waits for an answer.
			this.flush().catch(() => {});
		});
	}

	private collections(): Array<Collection<unknown>> {
		return [
			this.account,
			this.deliveries,
			this.documents,
			this.identityRequests,
			this.images,
			this.registrations,
			this.mails,
		] as Array<Collection<unknown>>;
	}

	private async write(folder: string): Promise<void> {
		for (const collection of this.collections()) {
			const changed = this.dirty.get(collection.name) ?? new Set<string>();
			const ids = [...changed];
			changed.clear();
			try {
				for (let from = 0; from < ids.length; from += 32) {
					const some = ids.slice(from, from + 32);
					await Promise.all(
						some.map((id) => {
							const record = collection.get(id);
							const path = join(folder, collection.name, `${id}.json`);
							return record === undefined ? removeRecord(path) : writeRecord(path, record);
						}),
					);
				}
				if (ids.length > 0) await syncFolder(join(folder, collection.name));
			} catch (error) {
				for (const id of ids) changed.add(id);
				this.saveError = error instanceof Error ? error.message : String(error);
				throw error;
			}
		}
		this.saveError = undefined;
	}

	private async load(folder: string): Promise<void> {
		for (const collection of this.collections()) {
			const path = join(folder, collection.name);
			await mkdir(path, { recursive: true, mode: 0o700 });
			for (const { id, record } of await readRecords(path)) collection.load(id, record);
		}
	}
}
