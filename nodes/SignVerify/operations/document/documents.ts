import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { createDocument, documentIdOf, signatoriesOf } from '../../api/documents';
import { idOf, nameOf, type Template, variablesOf } from '../../api/templates';
import type { CreateDocumentBody } from '../../api/types';
import { type Output, outputField, outputOf } from '../../webhooks/output';
import { readAll } from '../inputError';
import { isEmpty, isoTime, objectOf } from '../../util/values';
import { checkOnlyOption, optionsField } from '../form';
import { sendOnceOption } from '../sendItem';
import { chosenTemplate, templateLocator } from '../template/fields';
import type { ItemContext } from '../types';
import { countryField, readCountry } from './country';
import { readSignatories, signatoryFields } from './signatories';
import { readSignPositions, signPositionsOption } from './signPositions';
import { readVariables, variablesField } from './variables';

/** The form for a document made from a template, of each operation that makes one. */
export const documentFields: INodeProperties[] = [
	templateLocator,
	...signatoryFields,
	variablesField,
	countryField,
];

/** The options of these operations, the most important ones first. */
export const documentOptions = optionsField([
	checkOnlyOption,
	sendOnceOption,
	signPositionsOption,
	outputField,
]);

/**
 * Reads and checks a document. The only call is the one that loads the template.
 * @returns What will be sent, and the output as far as it is known before, with the values for the
 * template. `send` creates the document, and the service mails its signatories; raw output is the answer's
 * `responseData`, or the whole envelope without it.
 * @throws InputError for a wrong value.
 */
export async function prepareDocument(item: ItemContext) {
	// All the rest depends on it.
	const template = await chosenTemplate(item);
	let people: ReturnType<typeof readSignatories> | undefined;
	const { signers, country, positions, inputs } = readAll({
		signers: () => (people = readSignatories(item, template)),
		country: () => readCountry(item),
		// If the people are wrong, it is not known whether a position is for one of them.
		positions: () => readSignPositions(item, template, people?.signatories),
		inputs: () => readVariables(item, template),
	});
	const { signatories, roles } = signers;
	const isOlder = template.templateVersion === 'v1';
	const body: CreateDocumentBody = {
		templateID: idOf(template),
		country,
		inputs,
		signatories,
		...(isOlder ? { staticSignPositions: positions } : {}),
	};
	// Only the service knows the title.
	const { title, ...known } = simplifyDocument({}, body, template);
	const signPositions = isOlder ? { signPositions: positions } : {};
	const preview = { template: title, ...known, fields: inputs, ...signPositions } as IDataObject;

	const send = async (output: Output) => {
		const labels = { variables: variablesOf(template), signatories: roles };
		const envelope = await createDocument(item.service, template.templateVersion, body, labels);
		// Its answer may have the document, or only `success`.
		const answered = objectOf(envelope.responseData);
		const raw = Object.keys(answered).length ? answered : (envelope as IDataObject);
		const documentId = documentIdOf(answered);
		return {
			json: outputOf(output, raw, () => simplifyDocument(answered, body, template)),
			// In the error of a run that fails later.
			created: documentId ? `document ${documentId}` : 'a document',
			documentId,
		};
	};
	return { template, body, preview, send };
}

function simplifyDocument(
	answered: IDataObject,
	body: CreateDocumentBody,
	template: Template,
): IDataObject {
	const { title, status, addedOn, signatory } = answered;
	const documentId = documentIdOf(answered);
	const listed = signatoriesOf(signatory);
	return {
		...(documentId === '' ? {} : { documentId }),
		title: isEmpty(title) ? nameOf(template) : title,
		...(isEmpty(status) ? {} : { status }),
		templateId: body.templateID,
		country: body.country,
		signatories: listed.length
			? listed
			: body.signatories.map((each) => ({ ...each, signed: false })),
		...(isEmpty(addedOn) ? {} : { addedOn: isoTime(addedOn) }),
	};
}
