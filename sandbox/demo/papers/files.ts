import type { Files } from '../../service/documents';
import type { FileKind } from '../../service/links';
import type { DocumentRecord } from '../../state/records';
import type { Store } from '../../state/store';
import { sha256 } from '../../util/ids';
import { renderCertificate } from './certificate';
import { renderDocument } from './render';
import type { CertificateToRender, DocumentToRender } from './types';

const keptFiles = 48;

/**
 * Prints the files of documents. The same state always produces the same bytes, so the files do not have to
 * be stored. The most recent ones are cached in memory, because a file is often downloaded right after it is
 * hashed.
 */
export class PrintedFiles implements Files {
	private readonly kept = new Map<string, Promise<Buffer>>();

	constructor(private readonly store: Store) {}

	file(record: DocumentRecord, kind: FileKind): Promise<Buffer> {
		const { documentID, log, signatories } = record;
		const views = signatories.filter(({ viewedAt }) => viewedAt !== undefined).length;
		const mails = signatories.filter(({ mailed }) => mailed).length;
		const key = [documentID, kind, log.length, views, mails].join('/');
		return this.remember(key, () =>
			kind === 'document' ? this.document(record) : this.certificate(record, kind),
		);
	}

	print(record: DocumentRecord): Promise<Buffer> {
		return renderDocument(toRender(record));
	}

	/**
	 * Prints the document and, if it is completed, updates the hash in its record. A made-up document
	 * (seed.ts) does not have a hash yet, and a stored hash can be outdated because a different version of
	 * the sandbox may have printed different bytes.
	 */
	private async document(record: DocumentRecord): Promise<Buffer> {
		const isComplete = record.completedAt !== undefined;
		const file = await this.print(record);
		const hash = sha256(file);
		const isThere = this.store.documents.get(record.documentID) === record;
		if (isComplete && isThere && record.documentHash !== hash) {
			record.documentHash = hash;
			record.signedBytes = file.length;
			this.store.documents.put(record.documentID, record);
		}
		return file;
	}

	private async certificate(record: DocumentRecord, kind: 'certificate' | 'psc'): Promise<Buffer> {
		return renderCertificate({
			kind,
			document: toRender(record),
			documentHash: sha256(await this.file(record, 'document')),
			log: logWithViews(record),
		});
	}

	private remember(key: string, print: () => Promise<Buffer>): Promise<Buffer> {
		const known = this.kept.get(key);
		if (known) return known;
		const file = print();
		this.kept.set(key, file);
		file.catch(() => this.kept.delete(key));
		const oldest = this.kept.keys().next();
		if (this.kept.size > keptFiles && !oldest.done) this.kept.delete(oldest.value);
		return file;
	}
}

/** Returns the document's log. Unlike the API's log, it includes when each signatory opened the document. */
function logWithViews({ log, signatories }: DocumentRecord): CertificateToRender['log'] {
	const entries = log
		// This entry would mean nothing to the certificate's readers.
		.filter(({ operationType }) => operationType !== 'STORED_BLOCKCHAIN')
		.map(({ operationType, operationBy, operationData, sourceIP, addedOn }) => {
			const { signatoryID } = operationData;
			const to =
				operationType === 'SENT_FOR_SIGNATURE'
					? signatories.find((one) => one.signatoryID === signatoryID)?.name
					: undefined;
			return {
				operationType,
				...(to === undefined ? {} : { to }),
				...operationBy,
				sourceIP,
				addedOn,
			};
		});
	const views = signatories.flatMap(({ name, email, viewedAt }) =>
		viewedAt === undefined
			? []
			: [{ operationType: 'VIEWED', name, emailID: email, sourceIP: '', addedOn: viewedAt }],
	);
	// Entries can have identical timestamps, because the clock can be stopped. Such entries are sorted by
	// operation.
	const place = ({ operationType }: { operationType: string }) => order.indexOf(operationType);
	return [...entries, ...views].sort(
		(one, other) => one.addedOn - other.addedOn || place(one) - place(other),
	);
}

/** The operations in a certificate's log, in the order in which they happen. */
const order = ['CREATED', 'SENT_FOR_SIGNATURE', 'VIEWED', 'SIGNED', 'STORED_IN_PSC_SANDBOX'];

/** Converts the title to a file name that is safe on every operating system. */
export function fileName(title: string, kind: FileKind): string {
	// Truncate first, because normalizing takes quadratic time.
	const stem = title
		.slice(0, 1000)
		.normalize('NFKC')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\\/:*?"<>|]+/gu, ' ')
		.replace(/\s+/g, ' ');
	// Truncate by code point, because a header cannot contain half of a surrogate pair. Truncate before
	// trimming, because trimming takes quadratic time.
	const cut = [...stem].slice(0, 120).join('');
	const short = cut.replace(/^[. ]+|[. ]+$/g, '');
	const suffix = kind === 'document' ? '' : ` - ${kind}`;
	return `${short || 'document'}${suffix}.pdf`;
}

function toRender(record: DocumentRecord): DocumentToRender {
	return {
		documentID: record.documentID,
		template: record.template,
		inputs: record.inputs,
		country: record.country,
		createdAt: record.createdAt,
		signatories: record.signatories.map(({ name, email, viewedAt, signedAt, mark, answers }) => ({
			name,
			email,
			...(viewedAt === undefined ? {} : { viewedAt }),
			...(signedAt === undefined ? {} : { signedAt }),
			...(mark === undefined
				? {}
				: {
						signature:
							mark.kind === 'typed'
								? mark
								: { kind: 'drawn' as const, png: Buffer.from(mark.png, 'base64') },
					}),
			answers,
		})),
		positions: record.positions,
	};
}
