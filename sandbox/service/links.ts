import { createHmac } from 'node:crypto';
import type { Clock } from '../util/clock';
import { sameSecret } from '../util/ids';

/** The three files of a document. */
const FILE_KINDS = ['document', 'certificate', 'psc'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** Says whether a text names one of a document's files. */
export function isFileKind(kind: string): kind is FileKind {
	return (FILE_KINDS as readonly string[]).includes(kind);
}

/** Makes every address that the sandbox gives out, and checks those that carry a signature. */
export class Links {
	/** Root of the pages, without a slash at the end; set as soon as the port is known. */
	root = '';

	/**
	 * @param fileKey Secret that signs the addresses of files.
	 * @param fileLinkMinutes How long such an address lives.
	 */
	constructor(
		private readonly fileKey: () => string,
		private readonly fileLinkMinutes: number,
		private readonly clock: Clock,
	) {}

	/** The service's base address. */
	get base(): string {
		return `${this.root}/api`;
	}

	/** A signatory's link. */
	signing(token: string): string {
		return `${this.root}/sign/${token}`;
	}

	/** A person's link to their identity check. */
	identity(token: string): string {
		return `${this.root}/identity/${token}`;
	}

	/** A file's pre-signed address, which expires. */
	file(documentID: string, kind: FileKind): string {
		return this.root + this.filePath(documentID, kind);
	}

	/** The same, relative to the sandbox. */
	filePath(documentID: string, kind: FileKind): string {
		const expires = this.clock.now() + this.fileLinkMinutes * 60_000;
		const signature = this.signature(documentID, kind, String(expires));
		return `/files/${documentID}/${kind}.pdf?expires=${expires}&signature=${signature}`;
	}

	/** Checks a file's address: the signature first, so that nobody learns from a made-up time. */
	check(
		documentID: string,
		kind: FileKind,
		expires: string,
		signature: string,
	): 'good' | 'expired' | 'forged' {
		if (!sameSecret(this.signature(documentID, kind, expires), signature)) return 'forged';
		return Number(expires) > this.clock.now() ? 'good' : 'expired';
	}

	private signature(documentID: string, kind: FileKind, expires: string): string {
		return createHmac('sha256', this.fileKey())
			.update(`${documentID}/${kind}/${expires}`)
			.digest('hex');
	}
}
