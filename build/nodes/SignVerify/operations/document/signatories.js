import { slotsOf } from '../../api/templates';
import { InputError } from '../../http/errors';
import { readAll, readEach } from '../problems';
import { isObject, listOf, objectOf, parseJson, textOf } from '../../util/values';
import { firstForm, todaysForm } from '../form';
import { readEmail, readMapped } from '../parameters';
import { loadedWithTemplate } from '../template/fields';
const rolesField = {
    displayName: 'Signatories',
    name: 'signatoryRoles',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    required: true,
    description: 'Who signs in which role. Each gets an e-mail with a link of their own.',
    builderHint: {
        propertyHint: 'Two values for each slot of the template: "<key>.name" and "<key>.email".',
    },
    displayOptions: {
        show: { signatoriesFrom: ['role'], templateVersion: ['v2'] },
        hide: { templateId: [''] },
    },
    typeOptions: loadedWithTemplate({
        resourceMapperMethod: 'getSignatoryRoles',
        valuesLabel: 'Signatories',
        supportAutoMap: false,
    }),
};
export const roleEntries = [
    { name: 'name', label: 'Name' },
    { name: 'email', label: 'Email' },
];
export function roleEntryId(role, entry) {
    return `${role}.${entry}`;
}
export function peopleByRole(item, template, mayBeFewer) {
    const slots = slotsOf(template);
    if (slots.length === 0) {
        throw new InputError('Signatories', `the template "${template.name}" names no roles`, 'Set Specify Signatories to "One by One".');
    }
    const given = readMapped(item, 'signatoryRoles');
    const known = slots.flatMap(({ id }) => roleEntries.map(({ name }) => roleEntryId(id, name)));
    const unknown = [...given.keys()].find((id) => !known.includes(id) && !isEmpty(given.get(id)));
    if (unknown !== undefined) {
        throw new InputError('Signatories', `the template "${template.name}" has no "${unknown}"`, `Its roles are: ${slots.map(({ label }) => label).join(', ')}. Refresh the list of signatories if the template was changed.`);
    }
    return slots
        .map(({ id, label }) => {
        const [name, email] = roleEntries.map((each) => given.get(roleEntryId(id, each.name)));
        return { entry: { name, email }, who: label };
    })
        .filter(({ entry }) => !mayBeFewer || !isEmpty(entry.name) || !isEmpty(entry.email));
}
function isEmpty(value) {
    return textOf(value).trim() === '';
}
const howOneByOne = {
    name: 'One by One',
    value: 'form',
    description: 'Enter each person who signs',
};
const howByExpression = {
    name: 'Using an Expression',
    value: 'expression',
    description: 'For a number of signatories that is known only when the workflow runs',
};
const howByRole = {
    name: 'By Role',
    value: 'role',
    description: 'One person for each place to sign in the template, sent in its order. Whether your service assigns the places in that order is not known: look at a first document.',
};
function waysField(defaultWay, ways, displayOptions = {}) {
    return {
        displayName: 'Specify Signatories',
        name: 'signatoriesFrom',
        type: 'options',
        noDataExpression: true,
        options: ways,
        default: defaultWay,
        displayOptions,
        builderHint: {
            propertyHint: 'Use form unless the roles of the template are known: then role, with signatoryRoles.',
        },
    };
}
export const signatoryFields = [
    ...todaysForm([
        waysField('role', [howByRole, howOneByOne, howByExpression], {
            show: { templateVersion: ['v2'] },
        }),
        waysField('form', [howOneByOne, howByExpression], { show: { templateVersion: ['v1'] } }),
    ]),
    ...firstForm([waysField('form', [howOneByOne, howByExpression])]),
    rolesField,
    {
        displayName: 'Signatories',
        name: 'signatories',
        type: 'fixedCollection',
        typeOptions: { multipleValues: true, sortable: true },
        placeholder: 'Add Signatory',
        default: { signatory: [{ email: '', name: '' }] },
        required: true,
        displayOptions: { show: { signatoriesFrom: ['form'] } },
        description: 'Who signs. Each gets an e-mail with a link of their own.',
        options: [
            {
                displayName: 'Signatory',
                name: 'signatory',
                values: [
                    {
                        displayName: 'Name',
                        name: 'name',
                        type: 'string',
                        placeholder: 'e.g. Nathan Smith',
                        default: '',
                        required: true,
                        description: 'Full name, as it appears in the document',
                    },
                    {
                        displayName: 'Email',
                        name: 'email',
                        type: 'string',
                        placeholder: 'e.g. name@email.com',
                        default: '',
                        required: true,
                        description: 'Where the signing link is sent',
                    },
                ],
            },
        ],
    },
    {
        displayName: 'Signatories',
        name: 'signatoriesList',
        type: 'json',
        default: '',
        required: true,
        placeholder: 'e.g. {{ $json.people }}',
        displayOptions: { show: { signatoriesFrom: ['expression'] } },
        description: 'A list of objects, each with an email and a name',
        hint: 'An expression that gives a list such as [{ "email": "name@email.com", "name": "Nathan Smith" }]',
    },
];
export function areByRole(item) {
    return item.parameter('signatoriesFrom') === 'role' && item.parameter('templateVersion') === 'v2';
}
export function readSignatories(item) {
    const entries = item.parameter('signatoriesFrom') === 'expression' ? fromExpression(item) : fromForm(item);
    return checkSignatories(entries.map((entry, index) => ({ entry, who: `Signatory ${index + 1}` })));
}
export function checkSignatories(given) {
    if (given.length === 0) {
        throw new InputError('Signatories', 'there is none', 'Add at least one person who signs.');
    }
    const seen = new Map();
    return readEach(given, ({ entry, who }) => {
        const signatory = readSignatory(entry, who);
        const key = signatory.email.toLowerCase();
        const first = seen.get(key);
        if (first !== undefined) {
            throw new InputError(`${who}, Email`, `"${signatory.email}" is the e-mail of ${first}, too`, 'Give each signatory an e-mail address of their own.');
        }
        seen.set(key, who);
        return signatory;
    });
}
function fromForm(item) {
    const { signatory } = objectOf(item.parameter('signatories'));
    return isObject(signatory) ? [signatory] : listOf(signatory);
}
function fromExpression(item) {
    const value = item.parameter('signatoriesList');
    const list = typeof value === 'string' ? parseJson(value) : value;
    if (Array.isArray(list))
        return list;
    throw new InputError('Signatories', value === undefined || value === ''
        ? 'the expression gives nothing'
        : 'the expression does not give a list', 'Let it give a list such as [{ "email": "name@email.com", "name": "Nathan Smith" }].');
}
function readSignatory(entry, who) {
    if (!isObject(entry)) {
        throw new InputError(who, 'it is not an object with an email and a name', 'Give each signatory as { "email": "name@email.com", "name": "Nathan Smith" }.');
    }
    return readAll({
        email: () => readEmail(entry.email, `${who}, Email`),
        name: () => readName(entry.name, `${who}, Name`),
    });
}
function readName(value, field) {
    const name = typeof value === 'string' ? value.trim() : '';
    if (name)
        return name;
    throw new InputError(field, 'it is empty', 'Enter the full name of the person.');
}
