import type { EndpointName, Envelope } from '../../../sandbox/contract/endpoints';
import { derivedId } from '../../../sandbox/util/ids';
import type { ServiceVariants } from './variants';

type Members = Record<string, unknown>;

/** Puts the body of a success of the sandbox into the shape that the variants say. */
export function asVaried(
	body: Envelope,
	name: EndpointName | undefined,
	variants: ServiceVariants,
): unknown {
	if (!body.success) return body;
	const data = body.responseData as Members;
	switch (name) {
		case 'POST /templates/createDocumentByTemplate':
		case 'POST /templates/createDocumentByTemplateV2':
			return variants.created === 'onlySuccess'
				? { success: true, message: 'OK' }
				: { ...body, responseData: documentSeen(data, variants) };
		case 'POST /webhooks':
		case 'POST /webhooks/verify':
			return variants.registered === 'nothing' ? { ...body, responseData: {} } : body;
		case 'GET /identity/validation/request/:validationId':
			return data.status === 'COMPLETED'
				? { ...body, responseData: { ...data, status: variants.finishedStatus } }
				: body;
		default:
			return body;
	}
}

function documentSeen(document: Members, variants: ServiceVariants): Members {
	return {
		...document,
		...(variants.sameIds ? {} : { _id: derivedId(String(document.documentID)) }),
		...(variants.templateIdGiven ? {} : { templateID: '' }),
	};
}

/** Puts the body of a notification of the sandbox into the shape that the variants say. */
export function asSent(body: Members, variants: ServiceVariants): Members {
	const document = body.Document as (Members & { signatory: SignatorySeen[] }) | undefined;
	if (!document) return identitySeen(body, variants);
	const isSigned = document.signatory.every((signatory) => Number(signatory.isSigned) === 1);
	const isEarly = variants.completesFirst && body.type === 'signDocument' && isSigned;
	const Document = documentSeen(document, variants);
	return { ...body, Document: isEarly ? { ...Document, status: 'COMPLETED' } : Document };
}

interface SignatorySeen {
	isSigned?: number | string;
}

/** VERIFICATION_REQUEST_FINISHED, whose body is not documented. */
function identitySeen(
	{ type, validationId, sessionId, ...rest }: Members,
	{ identityType, identityNames, finishedStatus }: ServiceVariants,
): Members {
	const names = {
		both: { validationId, sessionId },
		apart: { sessionId: 'of-the-device', data: { validationId } },
		nothing: {},
	};
	return {
		...rest,
		status: finishedStatus,
		...(identityType === 'absent' ? {} : { type: identityType === 'another' ? 'FACE' : type }),
		...names[identityNames],
	};
}
