import { ServiceError } from '../../http/errors';
import { readId, readSwitch } from '../parameters';
export const validationIdField = {
    displayName: 'Validation ID',
    name: 'validationId',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
    description: 'The validationId that requesting the verification gave',
    builderHint: { propertyHint: 'From the item of identity / request: validationId.' },
};
export function readValidationId(item) {
    const source = 'Use the validationId that "Request" gave.';
    return readId(item.parameter('validationId'), validationIdField.displayName, source);
}
export function unknownRequest(field, id) {
    return new ServiceError({
        message: `${field}: the service has no identity request with the ID "${id}"`,
        description: 'Use the validationId that "Request" gave, and the same account in the credential.',
        httpStatus: 404,
    });
}
export const personalDataField = {
    displayName: 'Include Personal Data (OCR)',
    name: 'includePersonalData',
    type: 'boolean',
    default: false,
    description: 'Whether to add what was read from the official ID: name, address, date and place of birth, gender, nationality, and the numbers of the document. It is then kept with the execution, for all who may see it.',
};
export function readPersonal(item) {
    return readSwitch(item, 'includePersonalData', 'Include Personal Data (OCR)');
}
