import { optionsField } from '../form';
import { chosenTemplate, includeInactiveOption, readTemplateVersion, templateLocator, templateOutput, templateVersionField, } from './fields';
export const getTemplate = {
    resource: 'template',
    value: 'get',
    name: 'Get',
    action: 'Get template',
    description: 'Get one template: the fields to fill (form or inputs), the places to sign (signatories) and the questions to each signatory (formSignatory)',
    toolOutput: templateOutput,
    fields: [templateVersionField, templateLocator, optionsField([includeInactiveOption])],
    async run(item) {
        const version = readTemplateVersion(item.parameter('templateVersion'));
        const template = await chosenTemplate(item, version);
        return [{ json: { ...template, templateVersion: version } }];
    },
};
