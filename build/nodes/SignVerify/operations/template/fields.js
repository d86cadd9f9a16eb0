import { findTemplate, listTemplates, } from '../../api/templates';
import { InputError } from '../../http/errors';
import { locatorField } from '../form';
import { pick, pickEach } from '../toolOutput';
export const templateVersionField = {
    displayName: 'Template Version',
    name: 'templateVersion',
    type: 'options',
    noDataExpression: true,
    options: [
        {
            name: 'Version 2',
            value: 'v2',
            description: 'Templates with signature slots and questions to the signatories',
        },
        { name: 'Version 1', value: 'v1', description: 'Templates with variables only' },
    ],
    default: 'v2',
    description: 'Which of the two generations of templates to use',
};
export const templateLocator = locatorField({
    displayName: 'Template',
    name: 'templateId',
    description: 'The template to use',
    builderHint: { propertyHint: 'Choose one from the list of the account. Never make up an ID.' },
}, 'Choose a template…', 'searchTemplates');
export function loadedWithTemplate(mapper) {
    return {
        loadOptionsDependsOn: ['templateVersion', 'templateId.value'],
        resourceMapper: {
            mode: 'add',
            fieldWords: { singular: 'field', plural: 'fields' },
            addAllFields: true,
            ...mapper,
        },
    };
}
export const includeInactiveOption = {
    displayName: 'List Inactive Templates',
    name: 'includeInactive',
    type: 'boolean',
    default: false,
    description: 'Whether the list of templates also shows those whose status is not ACTIVE',
};
export function readTemplateVersion(value) {
    if (value === 'v1' || value === 'v2')
        return value;
    throw new InputError('Template Version', 'there is no such version', 'Choose "Version 2" or "Version 1".');
}
export async function templatesOf(item, version) {
    return await item.shared(`templates ${version}`, async () => await listTemplates(item.service, version));
}
export async function chosenTemplate(item, version) {
    const id = item.locator('templateId');
    if (!id) {
        throw new InputError('Template', 'none is chosen', 'Choose one from the list or enter its ID.');
    }
    const template = findTemplate(await templatesOf(item, version), id);
    if (template)
        return template;
    const other = version === 'v2' ? '"Version 1"' : '"Version 2"';
    throw new InputError('Template', `the account has no ${version} template with the ID "${id}"`, `Choose one from the list, or set Template Version to ${other} if it is one of those.`);
}
export const templateOutput = {
    id: 'templateID',
    fields: [
        '_id',
        'templateID',
        'userID',
        'name',
        'description',
        'key',
        'status',
        'signatories',
        'form',
        'formSignatory',
        'inputs',
        'templateVersion',
    ],
    simplify(json) {
        const shown = pick(json, ['templateID', 'name', 'description', 'status', 'templateVersion']);
        const lists = {
            signatories: pickEach(json.signatories, ['key']),
            form: pickEach(json.form, variable),
            formSignatory: pickEach(json.formSignatory, variable),
            inputs: pickEach(json.inputs, variable),
        };
        const present = Object.entries(lists).filter(([, list]) => list !== undefined);
        return { ...shown, ...Object.fromEntries(present) };
    },
};
const variable = ['key', 'label', 'isRequired'];
