import { IMAGE_KINDS, type ImageKind, type UploadedImage } from '../views';
import type { ImageRecord } from '../state/records';
import type { Store } from '../state/store';

/** Bytes of all images that are kept, as base64; the oldest go first. */
const KEPT_BYTES = 256 * 1024 * 1024;

/**
 * The images that people handed in for identity checks. They are kept and shown again, and nothing
 * else: nobody looks into them.
 */
export class IdentityImages {
	private bytes = 0;

	constructor(private readonly store: Store) {
		this.count();
	}

	/** Counts the images anew: other ones are in the store now. */
	count(): void {
		this.bytes = this.store.images.all().reduce((sum, { content }) => sum + content.length, 0);
	}

	/** Keeps images; of each kind the last one counts. */
	keep(validationId: string, given: Partial<Record<ImageKind, UploadedImage>>): void {
		for (const kind of IMAGE_KINDS) {
			const image = given[kind];
			if (!image) continue;
			const key = keyOf(validationId, kind);
			this.forget(key);
			const record: ImageRecord = { ...image, content: image.content.toString('base64') };
			this.store.images.put(key, record);
			this.bytes += record.content.length;
		}
		for (const key of this.store.images.ids()) {
			if (this.bytes <= KEPT_BYTES) break;
			this.forget(key);
		}
	}

	get(validationId: string, kind: ImageKind): UploadedImage | undefined {
		const record = this.store.images.get(keyOf(validationId, kind));
		return record && { ...record, content: Buffer.from(record.content, 'base64') };
	}

	/** What there is of a request, without the images themselves. */
	about(validationId: string): Partial<Record<ImageKind, { fileName: string; size: number }>> {
		const about: ReturnType<IdentityImages['about']> = {};
		for (const kind of IMAGE_KINDS) {
			const image = this.store.images.get(keyOf(validationId, kind));
			if (!image) continue;
			const { fileName, content } = image;
			about[kind] = { fileName, size: Buffer.byteLength(content, 'base64') };
		}
		return about;
	}

	private forget(key: string): void {
		this.bytes -= this.store.images.get(key)?.content.length ?? 0;
		this.store.images.remove(key);
	}
}

function keyOf(validationId: string, kind: ImageKind): string {
	return `${validationId}-${kind}`;
}
