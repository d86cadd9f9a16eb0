import type { CreateBody } from '../schemas';
import type { SandboxTemplate } from '../state/records';
import { ServiceRefusal, violation } from './refusal';

const maxName = 100;

/**
 * Templates with one of these statuses are refused. Templates with any other status are accepted, because
 * ACTIVE is the only one that the API documents.
 */
const notActive = new Set(['DRAFT', 'INACTIVE', 'DISABLED', 'ARCHIVED', 'DELETED']);

export function isEmail(text: string): boolean {
	return (
		text.length <= 254 &&
		/^[^\s@<>",;:()[\]\\]+@[^\s@<>"',;:()[\]\\]+\.[^\s@.<>"',;:()[\]\\]+$/.test(text)
	);
}

/**
 * Checks that a template can be used in a create call.
 * @throws ServiceRefusal with status 400 if the template does not exist, has a different version, or is not
 * active.
 */
export function usableTemplate(
	template: SandboxTemplate | undefined,
	version: SandboxTemplate['version'],
): SandboxTemplate {
	if (!template || template.version !== version) {
		throw new ServiceRefusal(400, 'Template not found');
	}
	if (notActive.has(template.status.toUpperCase())) {
		throw new ServiceRefusal(400, 'Template is not active');
	}
	return template;
}

/**
 * Checks what a schema cannot express: the inputs must fit the template, the signatories must be valid and
 * unique, and each position must belong to a signatory.
 * @throws ServiceRefusal with status 400 and a message about the first mistake.
 */
export function checkCreate(body: CreateBody, template: SandboxTemplate): void {
	checkInputs(body.inputs, template);
	checkSignatories(body.signatories);
	const emails = new Set(body.signatories.map(({ email }) => email.toLowerCase()));
	(body.staticSignPositions ?? []).forEach(({ user }, index) => {
		if (!emails.has(user.email.toLowerCase())) {
			throw violation(400, `staticSignPositions/${index}/user/email isn't one of the signatories`);
		}
	});
}

function checkInputs(inputs: CreateBody['inputs'], template: SandboxTemplate): void {
	const keys = new Set(template.fields.map(({ key }) => key));
	for (const key of Object.keys(inputs)) {
		if (!keys.has(key)) {
			throw violation(
				400,
				`inputs contains a key that the template doesn't have: ${key.slice(0, 80)}`,
			);
		}
	}
	for (const { key, isRequired } of template.fields) {
		if (isRequired && !(Object.hasOwn(inputs, key) && inputs[key]?.trim())) {
			throw violation(400, `inputs must contain a value for the required key: ${key}`);
		}
	}
}

function checkSignatories(signatories: CreateBody['signatories']): void {
	if (signatories.some(({ email }) => !isEmail(email))) {
		throw new ServiceRefusal(400, 'Some emails has invalid format or are empty');
	}
	const emails = signatories.map(({ email }) => email.toLowerCase());
	if (new Set(emails).size < emails.length) {
		throw new ServiceRefusal(400, 'Some emails are repeated');
	}
	signatories.forEach(({ name }, index) => {
		const { length } = name.trim();
		if (length === 0 || length > maxName) {
			throw new ServiceRefusal(
				400,
				`signatories/${index}/name must have 1 to ${maxName} characters`,
			);
		}
	});
}
