import { templateVersions } from '../../api/templates';
import { objectOf, textOf } from '../../util/values';
import { filtersField, limitFields, optionsField, readLimit } from '../form';
import { readTemplateVersion, templateOutput, templatesOf, templateVersionField } from './fields';
export const getAllTemplates = {
    resource: 'template',
    value: 'getAll',
    name: 'Get Many',
    action: 'Get many templates',
    description: 'List the templates of the account with their fields',
    toolOutput: templateOutput,
    fields: [
        {
            ...templateVersionField,
            options: [
                { name: 'Version 2', value: 'v2' },
                { name: 'Version 1', value: 'v1' },
                {
                    name: 'Both',
                    value: 'all',
                    description: 'Each item says in templateVersion which it is',
                },
            ],
            description: 'Which generation of templates to list',
        },
        ...limitFields,
        filtersField([
            {
                displayName: 'Name Contains',
                name: 'name',
                type: 'string',
                default: '',
                description: 'Only templates whose name contains this text, in upper or lower case',
            },
            {
                displayName: 'Status',
                name: 'status',
                type: 'string',
                default: 'ACTIVE',
                description: 'Only templates with this status. Version 1 templates have no status and are always listed.',
            },
        ]),
        optionsField(),
    ],
    async run(item) {
        const chosen = item.parameter('templateVersion');
        const limit = readLimit(item);
        const versions = chosen === 'all' ? templateVersions : [readTemplateVersion(chosen)];
        const lists = await Promise.all(versions.map(async (version) => await listOf(item, version)));
        return lists
            .flat()
            .filter(filterOf(item.parameter('filters')))
            .slice(0, limit)
            .map((json) => ({ json }));
    },
};
async function listOf(item, version) {
    const templates = await templatesOf(item, version);
    return templates.map((template) => ({ ...template, templateVersion: version }));
}
function filterOf(filters) {
    const { name, status } = objectOf(filters);
    const part = textOf(name).trim().toLowerCase();
    const wanted = textOf(status).trim();
    return (template) => (!part || textOf(template.name).toLowerCase().includes(part)) &&
        (!wanted || template.status === undefined || template.status === wanted);
}
