import { createHmac } from 'node:crypto';
import type { Clock } from '../util/clock';
import { sameSecret } from '../util/ids';

const fileKinds = ['document', 'certificate', 'psc'] as const;
export type FileKind = (typeof fileKinds)[number];

export function isFileKind(kind: string): kind is FileKind {
	return (fileKinds as readonly string[]).includes(kind);
}

/** Creates all of the URLs that the sandbox hands out, and verifies the signed ones. */
export class Links {
	/** The URL of the pages, without a trailing slash. It is set once the port is known. */
	root = '';

	/**
	 * @param fileKey A function that returns the secret used to sign file URLs.
	 * @param fileLinkMinutes How long a file URL is valid, in minutes.
	 */
	constructor(
		private readonly fileKey: () => string,
		private readonly fileLinkMinutes: number,
		private readonly clock: Clock,
	) {}

	/** The service's base URL. */
	get base(): string {
		return `${this.root}/api`;
	}

	signing(token: string): string {
		return `${this.root}/sign/${token}`;
	}

	identity(token: string): string {
		return `${this.root}/identity/${token}`;
	}

	/** Creates a pre-signed URL for a file. The URL is valid for a limited time. */
	file(documentID: string, kind: FileKind): string {
		return this.root + this.filePath(documentID, kind);
	}

	/** Creates a pre-signed URL for a file, as a path relative to the sandbox's URL. */
	filePath(documentID: string, kind: FileKind): string {
		const expires = this.clock.now() + this.fileLinkMinutes * 60_000;
		const signature = this.signature(documentID, kind, String(expires));
		return `/files/${documentID}/${kind}.pdf?expires=${expires}&signature=${signature}`;
	}

	/**
	 * Checks a file's URL. The signature is checked before the expiry time so that the response to a forged
	 * expiry time reveals nothing.
	 */
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
