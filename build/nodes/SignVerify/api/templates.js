import { ServiceError } from '../http/errors';
import { isObject, listOf, objectOf, textOf } from '../util/values';
export const templateVersions = ['v2', 'v1'];
export async function listTemplates(service, version) {
    const path = version === 'v2' ? '/templates/v2' : '/templates';
    const envelope = await service.call({ method: 'GET', path });
    const { responseData } = envelope;
    const list = [
        isObject(responseData) ? responseData.templates : undefined,
        responseData,
        envelope.templates,
    ].find(Array.isArray);
    if (list)
        return list.filter(isObject);
    throw new ServiceError({
        message: `The service answered without a list of templates (${service.describe(envelope)})`,
        description: 'Check the Base URL in the credential, its path included.',
    });
}
export function variablesOf(template) {
    return listOf('form' in template ? template.form : template.inputs);
}
export function slotsOf(template) {
    const slots = 'signatories' in template ? listOf(template.signatories) : [];
    const keys = slots.map((slot) => textOf(objectOf(slot).key).trim());
    return keys.map((key, index) => {
        const isOwn = key !== '' && keys.indexOf(key) === index;
        const words = key.replaceAll(/[_\s-]+/g, ' ').trim();
        return {
            id: isOwn ? key : String(index + 1),
            label: isOwn && words ? words[0]?.toUpperCase() + words.slice(1) : `Signatory ${index + 1}`,
        };
    });
}
export function findTemplate(templates, id) {
    return templates.find(({ templateID, _id }) => templateID === id || _id === id);
}
export function idOf(template) {
    return template.templateID || template._id;
}
