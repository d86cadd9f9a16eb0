import type { StaticSignPosition } from '../schemas/requests';
import type { Signatory, SignatoryField } from '../schemas';
import type { DocumentRecord } from '../state/records';
import type { Links } from './links';

/**
 * One signatory of a document as of now, with every field of the interface
 * (docs/dev/service.md#signatory).
 * @param index Which one, from 0.
 */
export function toSignatory(record: DocumentRecord, index: number, links: Links): Signatory {
	const signatory = record.signatories[index];
	if (!signatory) throw new RangeError(`Document has no signatory ${index}`);
	const { email, mark } = signatory;
	return {
		signing: { url: links.signing(signatory.token), expiry: signatory.linkExpiresAt },
		forceBiometric: {
			forcedPhotoID: false,
			forcedID: false,
			forcedFaceID: false,
			forcedBackgroundCheck: false,
			forcedFaceLogin: false,
			forcedOcr: false,
		},
		signatoryID: signatory.signatoryID,
		_id: signatory.id,
		name: signatory.name,
		emailID: email,
		phone: '',
		verificationCode: '',
		password: '',
		signatureType: mark === undefined ? '' : mark.kind === 'typed' ? 'TEXT' : 'DRAW',
		title: '',
		message: '',
		invalidSignatureReason: '',
		identitySessionId: '',
		order: index,
		isSigned: signatory.signedAt === undefined ? 0 : 1,
		photo: [],
		signature: [],
		attachment: [],
		signatureArray:
			mark === undefined
				? []
				: [
						{
							// The drawing itself is in the document's file; it has no address of its own.
							url: null,
							imageName: mark.kind === 'drawn' ? 'signature.png' : '',
							svgCoordinates: null,
						},
					],
		fieldArray: record.positions
			.filter(({ user }) => user.email.toLowerCase() === email.toLowerCase())
			.map((position) => toField(position, mark?.kind === 'typed' ? mark.text : '')),
		isInvalidSignature: false,
		biometricApprovedByUser: false,
		hasBiometricDocument: false,
		biometric: null,
		attachmentUrl: null,
	};
}

function toField(position: StaticSignPosition, value: string): SignatoryField {
	return {
		left: position.coordinates.x,
		top: position.coordinates.y,
		pageY: position.pageY,
		pageYv2: position.pageYv2,
		width: position.imageSize.width,
		height: position.imageSize.height,
		fontSize: 12,
		page: position.page,
		type: 'SIGNATURE',
		viewport: { ...position.viewport },
		extraData: {},
		value,
	};
}
