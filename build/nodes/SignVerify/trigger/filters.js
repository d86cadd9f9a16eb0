import { isObject, textOf } from '../util/values';
export const filtersField = {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add filter',
    default: {},
    description: 'Start the workflow only for some documents',
    options: [
        {
            displayName: 'Signatory Emails',
            name: 'signatoryEmails',
            type: 'string',
            default: '',
            placeholder: 'e.g. ana@example.com, ben@example.com',
            description: 'Only events about one of these people, separated by commas. If the event names one signatory, this person has to be in the list. Otherwise it is enough that one of the signatories is.',
        },
        {
            displayName: 'Template Names or IDs',
            name: 'templateIds',
            type: 'multiOptions',
            typeOptions: { loadOptionsMethod: 'getTemplates' },
            default: [],
            description: 'Only documents made from one of these templates. Where the list says "No data", the account has none. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
        },
        {
            displayName: 'Title Contains',
            name: 'titleContains',
            type: 'string',
            default: '',
            placeholder: 'e.g. Lease',
            description: 'Only documents with this text in their title, in capitals or not',
        },
    ],
};
export function passesFilters(filters, { document, emails }) {
    if (!isObject(filters))
        return true;
    const templates = textsOf(filters.templateIds);
    const titlePart = textOf(filters.titleContains).trim().toLowerCase();
    const wanted = textsOf(filters.signatoryEmails).map((each) => each.toLowerCase());
    const { templateId, title } = document ?? {};
    return ((templateId === undefined || templates.length === 0 || templates.includes(templateId)) &&
        (title === undefined || title.toLowerCase().includes(titlePart)) &&
        (emails.length === 0 || wanted.length === 0 || emails.some((each) => wanted.includes(each))));
}
function textsOf(value) {
    const list = Array.isArray(value) ? value : textOf(value).split(',');
    return list.map((each) => textOf(each).trim()).filter((each) => each !== '');
}
