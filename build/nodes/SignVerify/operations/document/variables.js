import { variablesOf } from '../../api/templates';
import { InputError } from '../../http/errors';
import { readMapped } from '../parameters';
import { Problems } from '../problems';
import { isEmpty } from '../../util/values';
import { loadedWithTemplate } from '../template/fields';
export const variablesField = {
    displayName: 'Fields',
    name: 'fields',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    description: 'What to fill into the template',
    builderHint: {
        propertyHint: 'The keys are those of the template: "form" of template / get in version 2, "inputs" in version 1. Required ones need a value.',
    },
    displayOptions: { hide: { templateId: [''] } },
    typeOptions: loadedWithTemplate({
        resourceMapperMethod: 'getTemplateFields',
        valuesLabel: 'Fields',
        supportAutoMap: true,
    }),
};
export function readVariables(item, template) {
    const variables = variablesOf(template);
    const automatic = item.parameter('fields.mappingMode') === 'autoMapInputData';
    const problems = new Problems();
    const given = automatic ? fromItem(item, variables) : readMapped(item, 'fields');
    if (!automatic)
        problems.collect(() => checkNames(given, variables, template));
    const inputs = new Map();
    for (const { key, label, isRequired } of variables) {
        problems.collect(() => {
            const text = inputOf(given.get(key), label || key);
            if (text !== '')
                inputs.set(key, text);
            else if (isRequired)
                throw missing(label || key, key, automatic);
        });
    }
    problems.throwIfAny();
    return Object.fromEntries(inputs);
}
function fromItem(item, variables) {
    const filled = Object.entries(item.input.json).filter(([, value]) => !isEmpty(value));
    const byName = new Map(filled);
    const named = filled.map(([name, value]) => [plain(name), value]);
    const byPlainName = new Map(named.filter(([name]) => name !== ''));
    return new Map(variables.map(({ key, label }) => [
        key,
        byName.get(key) ?? byPlainName.get(plain(label ?? '')) ?? byPlainName.get(plain(key)),
    ]));
}
function checkNames(given, variables, template) {
    const known = variables.map(({ key }) => key);
    const unknown = [...given.keys()].filter((key) => !known.includes(key) && !isEmpty(given.get(key)));
    if (unknown.length === 0)
        return;
    throw new InputError('Fields', `the template "${template.name}" has no ${unknown.map((key) => `"${key}"`).join(', ')}`, known.length
        ? `Its fields are: ${known.join(', ')}. Refresh the list of fields if the template was changed.`
        : 'It has no fields to fill. Refresh the list of fields if the template was changed.');
}
function missing(label, key, automatic) {
    return new InputError(`Fields: ${label}`, 'the template requires a value, and there is none', automatic
        ? `Give the input item a property called "${key}" or "${label}", or map the fields by hand.`
        : 'Enter a value. If it is an expression, check what it gives for this item.');
}
function inputOf(value, label) {
    if (isEmpty(value))
        return '';
    if (typeof value === 'string')
        return value;
    if (typeof value === 'number' && Number.isFinite(value))
        return String(value);
    if (typeof value === 'boolean' || typeof value === 'bigint')
        return String(value);
    if (value instanceof Date && !Number.isNaN(value.getTime()))
        return value.toISOString();
    const iso = isoOfDateTime(value);
    if (iso)
        return iso;
    throw new InputError(`Fields: ${label}`, `the value must be a text, but is ${kindOf(value)}`, 'Let the expression give a text or a number, for example one property of the object.');
}
function isoOfDateTime(value) {
    const { toISO } = value;
    if (typeof toISO !== 'function')
        return undefined;
    const iso = toISO.call(value);
    return typeof iso === 'string' ? iso : undefined;
}
function kindOf(value) {
    if (Array.isArray(value))
        return 'a list';
    return typeof value === 'number' ? 'not a number' : 'an object';
}
function plain(name) {
    return name.trim().toLowerCase();
}
