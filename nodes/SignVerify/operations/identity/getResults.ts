import { isFinalStatus, readIdentityResults } from '../../api/identities';
import { readExisting } from '../../api/readById';
import { optionsField } from '../../form/collections';
import { outputField, readOutput } from '../../form/outputChoice';
import { ServiceError } from '../../http/serviceError';
import { readAll } from '../../errors/inputError';
import { textOf } from '../../util/values';
import type { Operation } from '../operationTypes';
import {
	idCheckFields,
	idCheckOptions,
	idCheckReaders,
	requestId,
	validationIdField,
} from './fields';
import { identityProblems } from './identityProblems';

/** In the service's API, results belong to a session, which has the same ID as the request. */
const resultsIdField = {
	...validationIdField,
	description:
		'The validationId returned by the Request identity verification action, or that of a signatory in an event about a document',
};

/**
 * identity / getResults: reads a verification's results
 * (docs/dev/service.md#get-identity-verification-results). The output contains the data from the person's
 * official ID only if the user turns on "Include Personal Data (OCR)".
 */
export const getIdentityResults: Operation = {
	resource: 'identity',
	value: 'getResults',
	name: 'Get Results',
	action: 'Get results of identity verification',
	description:
		'Get the result: whether the person passed, whether the ID is in the expected name, and the scores',
	fields: [resultsIdField, ...idCheckFields, outputField(), optionsField(idCheckOptions)],

	async run(item) {
		const { validationId, expected, personal, output } = readAll({
			...idCheckReaders(item),
			output: () => readOutput(item),
		});
		const isRaw = output === 'raw';
		const choice = { personal, expected, isRaw };
		const json = await readIdentityResults(item.service, validationId, choice);
		if (json) return [{ json }];
		const request = await readExisting(item.service, 'identityRequest', validationId, {
			...requestId,
			source:
				"If it's a signatory's ID, the results may not be there yet, so try again later. Otherwise, use the validationId returned by the Request identity verification action",
		});
		const status = item.service.redact(textOf(request.status)) || 'unknown';
		const isOver = isFinalStatus(textOf(request.status));
		const { noResults, noResultsYet } = identityProblems;
		throw new ServiceError((isOver ? noResults : noResultsYet)(status));
	},
};
