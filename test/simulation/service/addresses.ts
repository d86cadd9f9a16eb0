import { serviceOrigin } from '../network';
import type { ServiceAnswer, ServiceDeps } from './contract';

/** A signatory's link: whoever has it can sign. */
export function signingLink(signatoryID: string): string {
	return `${serviceOrigin}/sign/SECRET-LINK-${signatoryID}`;
}

/** A person's link to their identity check. */
export function identityLink(validationId: string): string {
	return `${serviceOrigin}/identity/SECRET-LINK-${validationId}`;
}

/** The files of a document. */
export type FileKind = 'document' | 'certificate' | 'psc';

/** The files behind pre-signed addresses, each of which lives for a time. */
export class Files {
	/** Address -> until when (epoch-ms) it gives the file. */
	private readonly given = new Map<string, number>();

	constructor(
		private readonly surroundings: ServiceDeps,
		private readonly seconds: number,
	) {}

	/** A new address of a file; the same within a millisecond. */
	address(documentID: string, kind: FileKind): string {
		const until = this.surroundings.now() + this.seconds * 1000;
		const signature = `SECRET-SIGNATURE-${kind}-${documentID}-${until}`;
		const address = `${serviceOrigin}/files/${documentID}/${kind}.pdf?expires=${until}&signature=${signature}`;
		this.given.set(address, until);
		return address;
	}

	/** The answer to a download: the file, or the storage's refusal. */
	download(address: string): ServiceAnswer {
		const until = this.given.get(address);
		if (until === undefined) return denied('Access denied');
		if (this.surroundings.now() >= until) return denied('Request has expired');
		return {
			status: 200,
			headers: { 'content-type': 'application/pdf' },
			body: `%PDF-1.7\n% ${address.split('?')[0]}\n%%EOF\n`,
		};
	}
}

function denied(message: string): ServiceAnswer {
	return {
		status: 403,
		headers: { 'content-type': 'application/xml' },
		body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`,
	};
}
