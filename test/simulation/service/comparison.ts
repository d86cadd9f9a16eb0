/**
 * Compares what the model answers and sends with what the sandbox does: the same fields, of the same
 * types, with the same values, except for what is named here.
 */

/**
 * Values that each of the two makes up for itself, anywhere or below a certain field; their types
 * must agree all the same.
 */
const ownValues: Array<{ below?: string; names: string[] }> = [
	// IDs and secrets. Those of documents, registrations, requests and templates are mapped before.
	{ names: ['_id', 'signatoryID', 'customerId', 'accessToken', 'documentHash'] },
	// Moments: the two act one after the other.
	{ names: ['addedOn', 'modifiedOn', 'lastUpdatedAt', 'createdAt', 'expiry'] },
	// Addresses, which name the host of each.
	{ names: ['url', 'documentURL', 'certificateURL', 'pscCertificateURL', 'pscUrl'] },
	// The title has the template's name in it, and the templates are their own.
	{ names: ['title'] },
	{ below: 'templates', names: ['name', 'description', 'key', 'label', 'isRequired'] },
	// The sandbox is called from an address, the model is not.
	{ names: ['sourceIP'] },
	// What an identity check found is made up; a test of its own compares the verdict.
	{ below: 'score', names: ['value', 'status'] },
	{ below: 'name', names: ['fullName', 'lastName', 'firstName'] },
	{ below: 'name', names: ['paternalLastName', 'maternalLastName'] },
	{ below: 'ocr', names: ['address', 'documentNumber', 'birthDate'] },
];

/** Fields below the top that the model leaves out, since no node reads them. */
const leftOut = new Set([
	// Of a Document.
	...['documentFileObj', 'savedDocument', 'computedFields', 'nomHash', 'apiNomFileName'],
	...['pdfNomFileName', 'signatoryMessage', 'signatoryTitle', 'verificationType', 'source'],
	...['documentSignType', 'isForceID', 'hasOrder', 'disableMailing', 'isVoBo', 'formAnswer'],
	...['isActiveGeolocation', 'isBiometricIDEnabled', 'isBiometricFaceIDEnabled', 'nickname'],
	...['isBiometricBackgroundCheckEnabled', 'isSignatureText', 'hasLegalPrivacyPolicy'],
	...['isEndorsement', 'isHiddenCreated', 'autocaptureSDKEnabled', 'isRatification', 'voBo'],
	...['documentFiles', 'formSignatory', 'documentImage', 'forwardings', 'voBoStatus', 'language'],
	...['computedAt', 'isDeleted', 'isInactive', '__v', 'templateHistoryID', 'splitPage'],
	...['splitOriginDocumentId', 'splitChildDocumentId', 'splitNumber', 'endorsementId'],
	...['formStatus', 'identityProvider', 'endorsementsCount', 'providerSdkDocumentType'],
	...['providerSdkDefaultCountry', 'providerSdkResidentPermit'],
	// Of a Signatory.
	...['forceBiometric', 'signatureType', 'message', 'invalidSignatureReason', 'photo'],
	...['identitySessionId', 'signature', 'attachment', 'signatureArray', 'fieldArray', 'biometric'],
	...['isInvalidSignature', 'biometricApprovedByUser', 'hasBiometricDocument', 'attachmentUrl'],
	// Of what was read from an ID.
	...['addressFields', 'exteriorNumber', 'interiorNumber', 'typeOfId', 'gender', 'curp', 'cic'],
	...['claveDeElector', 'numeroEmisionCredencial', 'ocr', 'permissionType', 'expireAt'],
	...['expirationDate', 'issueDate', 'registrationDate', 'issuingCountry', 'birthPlace'],
	...['nationality', 'documentNumberCheckDigit', 'dateOfBirthCheckDigit'],
	'expirationDateCheckDigit',
]);

/** Lists of the account's own things: only their first elements are compared. */
const ownLists = new Set(['templates', 'inputs', 'form', 'signatories', 'formSignatory']);

/** In words, how two values differ. */
export function differences(model: unknown, sandbox: unknown, path: string[] = []): string[] {
	const where = path.join('.') || 'the whole';
	const kinds = [kindOf(model), kindOf(sandbox)];
	if (kinds[0] !== kinds[1])
		return [`${where}: ${kinds[0]} in the model, ${kinds[1]} in the sandbox`];
	if (Array.isArray(model)) return differencesOfLists(model, sandbox as unknown[], path);
	if (kinds[0] === 'object') {
		return differencesOfObjects(model as Members, sandbox as Members, path);
	}
	const isNamed = [model, sandbox].some((each) => String(each).startsWith(nameMark));
	if ((isOwnValue(path) && !isNamed) || model === sandbox) return [];
	return [`${where}: ${String(model)} in the model, ${String(sandbox)} in the sandbox`];
}

type Members = Record<string, unknown>;

function differencesOfLists(model: unknown[], sandbox: unknown[], path: string[]): string[] {
	const isOwn = ownLists.has(path.at(-1) ?? '');
	if (!isOwn && model.length !== sandbox.length) {
		return [`${path.join('.')}: ${model.length} in the model, ${sandbox.length} in the sandbox`];
	}
	const count = isOwn ? Math.min(1, model.length, sandbox.length) : model.length;
	return model
		.slice(0, count)
		.flatMap((each, index) => differences(each, sandbox[index], [...path, String(index)]));
}

function differencesOfObjects(model: Members, sandbox: Members, path: string[]): string[] {
	const at = (name: string) => [...path, name].join('.');
	const missing = Object.keys(sandbox)
		.filter((name) => !(name in model) && !(path.length > 0 && leftOut.has(name)))
		.map((name) => `${at(name)}: not in the model`);
	const shared = Object.keys(model).flatMap((name) =>
		name in sandbox
			? differences(model[name], sandbox[name], [...path, name])
			: [`${at(name)}: not in the sandbox`],
	);
	return [...missing, ...shared];
}

function isOwnValue(path: string[]): boolean {
	const last = path.at(-1) ?? '';
	return ownValues.some(
		({ below, names }) => names.includes(last) && (below === undefined || path.includes(below)),
	);
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'list' : typeof value;
}

/** Begins the name that stands for an ID: whether it is one of those must agree anywhere. */
export const nameMark = '\u2039';

/** A value in which each ID has become a name that is the same for both sides. */
export function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
	if (typeof value === 'string') return names.get(value) ?? value;
	if (Array.isArray(value)) return value.map((each) => withNames(each, names));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [name, withNames(each, names)]),
	);
}
