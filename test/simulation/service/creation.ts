import type { CreateDocumentBody } from '../../../nodes/SignVerify/api/types';
import { fits, isEmail, type Shape } from './answers';
import type { UsableTemplate } from './templates';

const size: Shape = { width: 'number', height: 'number' };
const position: Shape = {
	user: { email: 'string' },
	coordinates: { x: 'number', y: 'number' },
	page: 'number',
	pageY: 'number',
	pageYv2: 'number',
	color: 'string',
	imageSize: size,
	parentImageSize: size,
	viewport: size,
};

/** Whether the body of a creation has its form (docs/dev/service.md#endpoints). */
export function isCreation(body: unknown, version: 'v1' | 'v2'): body is CreateDocumentBody {
	if (typeof body !== 'object' || body === null) return false;
	const { inputs, signatories, staticSignPositions, ...rest } = body as Record<string, unknown>;
	if (!fits(rest, { templateID: 'text', country: 'text' })) return false;
	const isList = (value: unknown, shape: Shape) =>
		Array.isArray(value) && value.every((each) => fits(each, shape));
	const arePositions =
		staticSignPositions === undefined ||
		(version === 'v1' && isList(staticSignPositions, position));
	return (
		arePositions &&
		typeof inputs === 'object' &&
		inputs !== null &&
		!Array.isArray(inputs) &&
		Object.values(inputs).every((each) => typeof each === 'string') &&
		isList(signatories, { email: 'string', name: 'string' }) &&
		(signatories as unknown[]).length > 0
	);
}

/** What the service finds wrong in a creation that has the right form; undefined if nothing. */
export function wrongIn(
	{ inputs, signatories, staticSignPositions = [] }: CreateDocumentBody,
	{ variables }: UsableTemplate,
): string | undefined {
	if (Object.keys(inputs).some((key) => !variables.some((each) => each.key === key))) {
		return 'inputs has a key that the template has not';
	}
	if (variables.some(({ key, isRequired }) => isRequired && !inputs[key]?.trim())) {
		return 'inputs lacks a value for a required key';
	}
	if (!signatories.every(({ email }) => isEmail(email))) {
		return 'Some emails has invalid format or are empty';
	}
	const emails = new Set(signatories.map(({ email }) => email.toLowerCase()));
	if (emails.size < signatories.length) return 'Some emails are repeated';
	const lengths = signatories.map(({ name }) => name.trim().length);
	if (lengths.some((length) => length < 4 || length > 100)) {
		return 'A name must have 4 to 100 characters';
	}
	if (staticSignPositions.some(({ user }) => !emails.has(user.email.toLowerCase()))) {
		return 'A position is for none of the signatories';
	}
	return undefined;
}
