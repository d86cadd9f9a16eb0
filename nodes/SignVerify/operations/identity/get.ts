import { readExisting } from '../../api/readById';
import { outputField, readOutput } from '../../form/outputChoice';
import { readAll } from '../../errors/inputError';
import { isoTime } from '../../util/times';
import { textOf } from '../../util/values';
import type { Operation } from '../operationTypes';
import { readValidationId, requestId, validationIdField } from './fields';

/** identity / get: reads a request's status (docs/dev/service.md#get-an-identity-verification-request). */
export const getIdentity: Operation = {
	resource: 'identity',
	value: 'get',
	name: 'Get',
	action: 'Get identity verification',
	description:
		"Get a verification's status and, once the person has been verified, their customerId",
	fields: [validationIdField, outputField()],

	async run(item) {
		const { validationId, output } = readAll({
			validationId: () => readValidationId(item),
			output: () => readOutput(item),
		});
		const request = await readExisting(item.service, 'identityRequest', validationId, requestId);
		if (output === 'raw') return [{ json: request }];
		// Only the person being verified needs the link, so simplified output leaves it out.
		const { emailId, status, createdAt, customerId = null, backgroundCheck = null } = request;
		const json = {
			validationId,
			email: textOf(emailId),
			status: textOf(status),
			createdAt: isoTime(createdAt) ?? null,
			customerId,
			backgroundCheck,
		};
		return [{ json }];
	},
};
