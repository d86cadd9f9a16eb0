import type { CreateBody } from '../schemas';
import type { SandboxTemplate } from '../state/records';
import { ServiceRefusal, violation } from './refusal';

const MIN_NAME = 4;
const MAX_NAME = 100;

/**
 * The words by which a template says that nobody may use it. The interface shows only ACTIVE, so an
 * imported template can have any other status, too.
 */
const NOT_ACTIVE = new Set(['DRAFT', 'INACTIVE', 'DISABLED', 'ARCHIVED', 'DELETED']);

/** Says whether a text has the form of an email address, as far as that can be seen. */
export function isEmail(text: string): boolean {
	return (
		text.length <= 254 &&
		/^[^\s@<>"',;:()[\]\\]+@[^\s@<>"',;:()[\]\\]+\.[^\s@.<>"',;:()[\]\\]+$/.test(text)
	);
}

/**
 * Finds the template that a create call names.
 * @throws ServiceRefusal (400) when there is none of that generation, or it is not active.
 */
export function usableTemplate(
	template: SandboxTemplate | undefined,
	generation: SandboxTemplate['generation'],
): SandboxTemplate {
	if (!template || template.generation !== generation) {
		throw new ServiceRefusal(400, 'Template not found');
	}
	if (NOT_ACTIVE.has(template.status.toUpperCase())) {
		throw new ServiceRefusal(400, 'Template is not active');
	}
	return template;
}

/**
 * Checks what a schema cannot: the inputs against the template, the signatories against each other,
 * the positions against the signatories.
 * @throws ServiceRefusal (400) naming the first thing that is wrong.
 */
export function checkCreate(body: CreateBody, template: SandboxTemplate): void {
	checkInputs(body.inputs, template);
	checkSignatories(body.signatories);
	const emails = new Set(body.signatories.map(({ email }) => email.toLowerCase()));
	(body.staticSignPositions ?? []).forEach(({ user }, index) => {
		if (!emails.has(user.email.toLowerCase())) {
			throw violation(400, `staticSignPositions/${index}/user/email is none of the signatories`);
		}
	});
}

function checkInputs(inputs: CreateBody['inputs'], template: SandboxTemplate): void {
	const keys = new Set(template.fields.map(({ key }) => key));
	for (const key of Object.keys(inputs)) {
		if (!keys.has(key)) {
			throw violation(400, `inputs has a key that the template has not: ${key.slice(0, 80)}`);
		}
	}
	for (const { key, isRequired } of template.fields) {
		if (isRequired && !(Object.hasOwn(inputs, key) && inputs[key]?.trim())) {
			throw violation(400, `inputs lacks a value for the required key: ${key}`);
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
		if (length < MIN_NAME || length > MAX_NAME) {
			throw new ServiceRefusal(
				400,
				`signatories/${index}/name must have ${MIN_NAME} to ${MAX_NAME} characters`,
			);
		}
	});
}
