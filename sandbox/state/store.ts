import { Clock } from '../util/clock';
import { newSecret } from '../util/ids';
import { DataFolder } from './dataFolder';
import type {
	AccountRecord,
	DeliveryRecord,
	DocumentRecord,
	IdentityRecord,
	MailRecord,
	RegistrationRecord,
	SandboxTemplate,
} from './records';

/** A collection of records, keyed by ID. Keeps the records in creation order and reports each change. */
class Collection<T> {
	private readonly records = new Map<string, T>();

	/** @param changed Called with a record's ID whenever a record is added, changed or removed. */
	constructor(private readonly changed: (id: string) => void) {}

	get(id: string): T | undefined {
		return this.records.get(id);
	}

	/** Returns all records, oldest first. */
	all(): T[] {
		return [...this.records.values()];
	}

	get size(): number {
		return this.records.size;
	}

	/** Adds or replaces a record. Also call this after changing a record in place. */
	put(id: string, record: T): void {
		this.records.set(id, record);
		this.changed(id);
	}

	/** Removes a record. Returns whether the record existed. */
	remove(id: string): boolean {
		const existed = this.records.delete(id);
		if (existed) this.changed(id);
		return existed;
	}

	/** Adds a record from the data folder without reporting a change. */
	load(id: string, record: T): void {
		this.records.set(id, record);
	}
}

const account = 'account';

/**
 * A sandbox's entire state. The state is kept in memory and, if there is a data folder, also on disk. On
 * disk, each change writes only one small record.
 */
export class Store {
	/** The lists of records, by name. */
	private readonly collections = new Map<string, Collection<unknown>>();
	/** The keys (`documents/<id>`) of the records that have changed since the last write. */
	private readonly dirty = new Set<string>();
	private scheduled = false;
	private writing: Promise<void> | undefined;
	private next: Promise<void> | undefined;

	private readonly account = this.collection<AccountRecord>('account');
	readonly deliveries = this.collection<DeliveryRecord>('deliveries');
	readonly documents = this.collection<DocumentRecord>('documents');
	readonly identityRequests = this.collection<IdentityRecord>('identity-requests');
	readonly registrations = this.collection<RegistrationRecord>('webhooks');
	readonly mails = this.collection<MailRecord>('mails');
	/** Only imported templates are stored. Every sandbox has the built-in ones. */
	readonly templates = this.collection<SandboxTemplate>('templates');

	/** The error from the last write; undefined if that write succeeded. */
	saveError: string | undefined;

	/** @param folder The data folder. If omitted, the state is kept only in memory. */
	constructor(private readonly folder?: DataFolder) {}

	/**
	 * Opens the state in a folder, or an empty state in memory.
	 * @throws The errors from `DataFolder.open`.
	 */
	static async open(folder: string | undefined): Promise<Store> {
		if (folder === undefined) return new Store();
		const { opened, records } = await DataFolder.open(folder);
		const store = new Store(opened);
		for (const [key, record] of records) {
			const [name, id] = partsOf(key);
			store.collections.get(name)?.load(id, record);
		}
		return store;
	}

	/** Records the URL of the sandbox that uses the folder. */
	announce(url: string): void {
		this.folder?.announce(url);
	}

	/** Releases the folder for other processes. */
	async close(): Promise<void> {
		await this.folder?.close();
	}

	/** Returns the account. It is created on first use if the folder does not contain one. */
	accountRecord(): AccountRecord {
		let record = this.account.get(account);
		if (!record) {
			record = { userId: '', apiKey: '', fileKey: newSecret(), tokens: {} };
			this.account.put(account, record);
		}
		return record;
	}

	/** Returns the sandbox's clock, with the state that was saved in the folder. */
	clock(): Clock {
		const record = (this.accountRecord().clock ??= { offset: 0 });
		return new Clock(record, () => this.accountChanged());
	}

	/** Call this after changing the account in place. */
	accountChanged(): void {
		this.account.put(account, this.accountRecord());
	}

	/**
	 * Resolves when all changes so far are on disk. Without a data folder, resolves immediately. Calls made
	 * during a write share the next write.
	 * @throws Error with the reason why the write failed. The next call retries the write.
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
		if (this.dirty.size === 0) return Promise.resolve();
		this.writing = this.write(this.folder).finally(() => (this.writing = undefined));
		return this.writing;
	}

	private collection<T>(name: string): Collection<T> {
		const collection = new Collection<T>((id) => {
			if (this.folder === undefined) return;
			this.dirty.add(`${name}/${id}`);
			this.schedule();
		});
		this.collections.set(name, collection);
		return collection;
	}

	/**
	 * Schedules a write. Used for changes such as delivery attempts, where no response has to wait for the
	 * write.
	 */
	private schedule(): void {
		if (this.scheduled) return;
		this.scheduled = true;
		setImmediate(() => {
			this.scheduled = false;
			// The error is kept in `saveError`, and the next `flush` tries again.
			this.flush().catch(() => {});
		});
	}

	private async write(folder: DataFolder): Promise<void> {
		const keys = [...this.dirty];
		this.dirty.clear();
		const changes = keys.map((key): [string, unknown] => {
			const [name, id] = partsOf(key);
			return [key, this.collections.get(name)?.get(id)];
		});
		try {
			await folder.write(new Map(changes));
			this.saveError = undefined;
		} catch (error) {
			for (const key of keys) this.dirty.add(key);
			this.saveError = error instanceof Error ? error.message : String(error);
			throw error;
		}
	}
}

function partsOf(key: string): [collection: string, id: string] {
	const slash = key.indexOf('/');
	return [key.slice(0, slash), key.slice(slash + 1)];
}
