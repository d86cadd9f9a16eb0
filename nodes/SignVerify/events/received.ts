import type { IDataObject } from 'n8n-workflow';

import { isIdentityEvent } from '../api/events';
import { emailNames, type Notification } from '../api/notification';
import { isEmpty, isObject } from '../util/values';
import { personalChoices } from './personalData';

/** The API's names of objects and of lists of objects. Anything else in their place could be anyone's data. */
const holderNames = [
	...['responseData', 'results', 'webhookData', 'operationData', 'options', 'templates'],
	...['computedFields', 'forceBiometric', 'staticSignPositions', 'coordinates', 'viewport'],
	...['imageSize', 'parentImageSize'],
];

/**
 * The only names whose values are shown: the API's names (docs/dev/service.md) except those of people, links,
 * files, secrets, scores, and what people or their IDs say, and the names that services use for a reason. Values
 * aren't judged, because any number can be a birth date, and any text an ID's number.
 */
export const openNames = [
	...holderNames,
	...['message', 'msg', 'success', 'responseCode', 'type', 'addedOn'],
	...['reason', 'code', 'error', 'description', 'result'],
	...['documentID', 'templateID', 'templateHistoryID', 'signatoryID', 'biometricID', 'webHookID'],
	...['endorsementID', 'identitySessionId', 'validationId', 'sessionId', 'customerId'],
	...['splitOriginDocumentId', 'splitChildDocumentId', 'splitPage', 'splitNumber'],
	...['status', 'processingStatus', 'voBoStatus', 'formStatus', 'invalidSignatureReason'],
	...['title', 'documentSignType', 'signatureType', 'verificationType', 'operationType'],
	...['documentHash', 'nomHash', 'source', 'language', 'version', '__v', 'identityProvider'],
	...['createdAt', 'modifiedOn', 'lastUpdatedAt', 'computedAt', 'order', 'isSigned'],
	...['isCanceled', 'isDeleted', 'isInactive', 'isForceID', 'hasOrder', 'disableMailing', 'isVoBo'],
	...['isActiveGeolocation', 'isBiometricIDEnabled', 'isBiometricFaceIDEnabled', 'isTemplateV2'],
	...['isBiometricBackgroundCheckEnabled', 'isSignatureText', 'hasLegalPrivacyPolicy'],
	...['isEndorsement', 'isHiddenCreated', 'autocaptureSDKEnabled', 'isRatification'],
	...['endorsementsCount', 'signatoryCount', 'pendingSignatoryCount'],
	...['biometricCount', 'validBiometricCount', 'pendingBiometricCount', 'signatoryCountLessOne'],
	...['isAllSignatoryPending', 'isAllValidBiometric', 'isInvalidSignature'],
	...['biometricApprovedByUser', 'hasBiometricDocument', 'backgroundCheck'],
	...['forcedPhotoID', 'forcedID', 'forcedFaceID', 'forcedBackgroundCheck', 'forcedFaceLogin'],
	...['forcedOcr', 'isRequired', 'label', 'pendingForBlockChain', 'size', 'x', 'y', 'left', 'top'],
	...['page', 'pageY', 'pageYv2', 'fontSize', 'width'],
];

/** Reduces a name to its letters and digits, because services differ in case and separators. */
export const comparedName = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

const open = new Set(openNames.map(comparedName));
const holders = new Set(holderNames.map(comparedName));

/** The maximum number of names under `leftOut`, and the maximum length of each. */
const maxNames = 50;
const maxNameLength = 40;

/**
 * Whether a name looks like a field's. A key can also be data, such as an email address, a number, or a person's
 * name, whose words begin with capitals.
 */
function isFieldName(name: string): boolean {
	return (
		name.length <= maxNameLength &&
		!/\d{4}/.test(name) &&
		/^[\p{L}_][\p{L}\d_.-]*(?: \p{Ll}[\p{L}\d_.-]*)*$/u.test(name)
	);
}

/**
 * Returns what the body contains apart from what other fields of the output show: the values with
 * {@link openNames}, the data that the user has included, and in `leftOut` the names of everything else; null if
 * there is nothing else.
 */
export function receivedIn(
	{ event, body, document, happenedAt, verified }: Notification,
	include: string[] = [],
): IDataObject | null {
	const { validationId, email, ...others } = verified;
	const ids = { validationId, sessionId: validationId };
	const emails = Object.fromEntries(emailNames.map((name) => [name, email]));
	/** The values that other fields of the output show, by the service's name. */
	const shown: IDataObject = {
		type: event,
		addedOn: happenedAt === undefined ? null : body.addedOn,
		...(isIdentityEvent(event)
			? { ...others, ...ids, ...emails }
			: { Document: document?.source ?? null }),
	};
	const rest = Object.entries(body).filter(
		([name, value]) => !Object.hasOwn(shown, name) || !(isEmpty(value) || value === shown[name]),
	);
	const { fields, leftOut } = openPart(Object.fromEntries(rest), includedNames(include));
	const received = { ...fields, ...(leftOut.length > 0 ? { leftOut } : {}) };
	return Object.keys(received).length > 0 ? received : null;
}

function includedNames(include: string[]): Set<string> {
	const chosen = personalChoices.filter(({ value }) => include.includes(value));
	return new Set(chosen.flatMap(({ received }) => received).map(comparedName));
}

function openPart(source: IDataObject, included: Set<string>) {
	const names = new Set<string>();
	/**
	 * Returns the part of a value that may be shown; undefined if there is none.
	 * @param isOpen Whether all names around the value are open. Otherwise, only what is included is shown.
	 * @param leave Called if something in the value is left out.
	 * @param isHeld Whether the value's name is one of {@link holderNames}.
	 */
	const partOf = (value: unknown, isOpen: boolean, leave: () => void, isHeld = false): unknown => {
		if (Array.isArray(value)) {
			const parts = value.map((inner) => partOf(inner, isOpen, leave, isHeld));
			const shown = parts.filter((part) => part !== undefined);
			return shown.length > 0 || (isOpen && value.length === 0) ? shown : undefined;
		}
		if (isObject(value)) {
			const entries = Object.entries(value);
			const parts = entries.map(([name, inner]) => {
				const compared = comparedName(name);
				if (included.has(compared)) return [name, inner] as const;
				const leaveName = isOpen ? () => names.add(name) : leave;
				const isShownIn = isOpen && open.has(compared);
				return [name, partOf(inner, isShownIn, leaveName, holders.has(compared))] as const;
			});
			const shown = parts.filter(([, part]) => part !== undefined);
			const isShown = shown.length > 0 || (isOpen && entries.length === 0);
			return isShown ? Object.fromEntries(shown) : undefined;
		}
		if (isOpen && !isHeld && !isJson(value)) return value;
		if (!isEmpty(value)) leave();
		return undefined;
	};
	const fields = partOf(source, true, () => undefined) as IDataObject | undefined;
	return { fields, leftOut: listed([...names]) };
}

/**
 * Whether a value is text that can be an object, a list, or another text as JSON, in which no name is checked. A
 * number as text is no different from the number. The text isn't parsed, because thousands of errors take seconds.
 */
function isJson(value: unknown): boolean {
	if (typeof value !== 'string') return false;
	const text = value.trim();
	const begins = /^(?:\{\s*["}]|\[\s*(?:["{[\]\d-]|true|false|null)|")/.test(text);
	return begins && ['}', ']', '"'].includes(text.slice(-1));
}

function listed(names: string[]): string[] {
	const shown = names.filter(isFieldName).slice(0, maxNames);
	const rest = names.length - shown.length;
	return rest > 0 ? [...shown, `and ${rest} more`] : shown;
}
