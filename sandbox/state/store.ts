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

/** Records by id, in the order of their creation, that tell when one of them changed. */
class Collection<T> {
	private readonly records = new Map<string, T>();

	/** @param changed Told the id of each record that was put, changed or removed. */
	constructor(private readonly changed: (id: string) => void) {}

	get(id: string): T | undefined {
		return this.records.get(id);
	}

	/** All records, oldest first. */
	all(): T[] {
		return [...this.records.values()];
	}

	get size(): number {
		return this.records.size;
	}

	/** Adds or replaces a record; also to be called after changing one in place. */
	put(id: string, record: T): void {
		this.records.set(id, record);
		this.changed(id);
	}

	/** Says whether there was such a record. */
	remove(id: string): boolean {
		const existed = this.records.delete(id);
		if (existed) this.changed(id);
		return existed;
	}

	/** Takes a record from the data folder: nothing changed by that. */
	load(id: string, record: T): void {
		this.records.set(id, record);
	}
}

const ACCOUNT = 'account';

/**
 * The whole state of a sandbox: in memory, and with a data folder on the disk, too. There a change
 * costs one small record however much there is.
 */
export class Store {
	/** By name. */
	private readonly collections = new Map<string, Collection<unknown>>();
	/** Keys (`documents/<id>`) of the records that changed since the last write. */
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
	/** Those that were imported; every sandbox has the others. */
	readonly templates = this.collection<SandboxTemplate>('templates');

	/** What the last write failed with; undefined while saving works. */
	saveError: string | undefined;

	/** @param folder Absent: everything is in memory only. */
	constructor(private readonly folder?: DataFolder) {}

	/**
	 * Opens the state that is kept in a folder; an empty one in memory without.
	 * @throws What `DataFolder.open` throws.
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

	/** Says where the sandbox that uses the folder can be found. */
	announce(url: string): void {
		this.folder?.announce(url);
	}

	/** Lets others use the folder. */
	async close(): Promise<void> {
		await this.folder?.close();
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
	 * @throws Error saying what is wrong with the disk; the next call tries again.
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
