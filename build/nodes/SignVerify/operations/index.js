import { updateDisplayOptions, } from 'n8n-workflow';
import * as registry from './registry';
import { toolOutputFields } from './toolOutput';
export const resources = {
    document: { name: 'Document', first: 'createFromTemplate' },
    identity: { name: 'Identity', first: 'request' },
    item: { name: 'Item', first: 'processOnce' },
    template: { name: 'Template', first: 'getAll' },
    webhook: { name: 'Webhook', first: 'create' },
};
export const operations = Object.values(registry);
export function findOperation(resource, value) {
    return operations.find((each) => each.resource === resource && each.value === value);
}
export const withoutService = ['item'];
export const properties = formOf(operations);
export const toolProperties = formOf(operations.filter(({ waits, resource }) => !waits && !withoutService.includes(resource)));
function formOf(offered) {
    const used = [...new Set(offered.map((each) => each.resource))];
    return [
        resourceSelector(used),
        ...used.map((resource) => operationSelector(resource, offered)),
        ...offered.flatMap(fieldsOf),
    ];
}
function resourceSelector(used) {
    const options = used
        .map((value) => ({ name: resources[value].name, value }))
        .sort((left, right) => left.name.localeCompare(right.name));
    return {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options,
        default: 'document',
    };
}
function operationSelector(resource, offered) {
    const { first } = resources[resource];
    return {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: [resource] } },
        options: offered
            .filter((each) => each.resource === resource)
            .map(({ name, value, action, description }) => ({ name, value, action, description }))
            .sort((left, right) => left.name.localeCompare(right.name)),
        default: first,
    };
}
function fieldsOf(operation) {
    const { resource, value, fields } = operation;
    const toolOutput = 'run' in operation ? operation.toolOutput : undefined;
    const show = { resource: [resource], operation: [value] };
    if (!toolOutput)
        return updateDisplayOptions({ show }, fields);
    const isOptions = ({ name }) => name === 'options';
    return [
        ...updateDisplayOptions({ show }, fields.filter((field) => !isOptions(field))),
        ...updateDisplayOptions({ show: { ...show, '@tool': [true] } }, toolOutputFields(toolOutput)),
        ...updateDisplayOptions({ show }, fields.filter(isOptions)),
    ];
}
