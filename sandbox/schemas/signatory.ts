import { Type, type Static } from '@sinclair/typebox';
import {
	emptyObjectSoFar,
	emptySoFar,
	EpochMs,
	exactly,
	nullSoFar,
	observed,
	Size,
} from './common';

/** The position and size of one signature on a page (docs/dev/service.md#signatory). */
export const SignatoryFieldSchema = exactly(
	{
		left: Type.Number(),
		top: Type.Number(),
		pageY: Type.Number(),
		pageYv2: Type.Number(),
		width: Type.Number(),
		height: Type.Number(),
		fontSize: Type.Integer(),
		page: Type.Integer(),
		type: observed('SIGNATURE'),
		viewport: Size,
		extraData: emptyObjectSoFar(),
		value: Type.String(),
	},
	'SignatureField',
);

/** A person who signs (docs/dev/service.md#signatory). */
export const SignatorySchema = exactly({
	signing: exactly({ url: Type.String(), expiry: EpochMs }),
	forceBiometric: exactly({
		forcedPhotoID: Type.Boolean(),
		forcedID: Type.Boolean(),
		forcedFaceID: Type.Boolean(),
		forcedBackgroundCheck: Type.Boolean(),
		forcedFaceLogin: Type.Boolean(),
		forcedOcr: Type.Boolean(),
	}),
	signatoryID: Type.String(),
	_id: Type.String(),
	name: Type.String(),
	emailID: Type.String(),
	phone: Type.String(),
	verificationCode: Type.String(),
	password: Type.String(),
	signatureType: Type.String(),
	title: Type.String(),
	message: Type.String(),
	invalidSignatureReason: Type.String(),
	identitySessionId: Type.String(),
	order: Type.Integer(),
	/** 1 if the person has signed, otherwise 0. */
	isSigned: Type.Integer(),
	photo: emptySoFar(),
	signature: emptySoFar(),
	attachment: emptySoFar(),
	signatureArray: Type.Array(
		exactly({
			url: Type.Union([Type.String(), Type.Null()]),
			imageName: Type.String(),
			svgCoordinates: nullSoFar(),
		}),
	),
	fieldArray: Type.Array(SignatoryFieldSchema),
	isInvalidSignature: Type.Boolean(),
	biometricApprovedByUser: Type.Boolean(),
	hasBiometricDocument: Type.Boolean(),
	biometric: nullSoFar(),
	attachmentUrl: nullSoFar(),
});

export type SignatoryField = Static<typeof SignatoryFieldSchema>;
export type Signatory = Static<typeof SignatorySchema>;
