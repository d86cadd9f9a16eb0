import { findTemplate, listTemplates, slotsOf, variablesOf } from '../api/templates';
import { roleEntries, roleEntryId } from '../operations/document/signatories';
import { readTemplateVersion } from '../operations/template/fields';
import { ServiceClient } from '../http/client';
import { withNodeErrors } from '../http/errors';
export async function getTemplateFields() {
    return await fieldsOfTemplate(this, 'This template has no fields to fill.', (template) => variablesOf(template).map(({ key, label, isRequired }) => fieldOf(key, label || key, isRequired)));
}
export async function getSignatoryRoles() {
    const isRequired = this.getCurrentNodeParameter('options.allowOtherCount') !== true;
    const nothing = 'This template names no roles. Set Specify Signatories to "One by One".';
    return await fieldsOfTemplate(this, nothing, (template) => slotsOf(template).flatMap(({ id, label }) => roleEntries.map((entry) => fieldOf(roleEntryId(id, entry.name), `${label}: ${entry.label}`, isRequired))));
}
async function fieldsOfTemplate(context, nothing, fieldsOf) {
    return await withNodeErrors(context, async () => {
        const version = readTemplateVersion(context.getCurrentNodeParameter('templateVersion'));
        const id = context.getCurrentNodeParameter('templateId', { extractValue: true });
        if (typeof id !== 'string' || !id.trim())
            return none('Choose a template first.');
        const templates = await listTemplates(new ServiceClient(context), version);
        const template = findTemplate(templates, id.trim());
        if (!template)
            return none(`The account has no ${version} template with this ID.`);
        const fields = fieldsOf(template);
        return fields.length ? { fields } : none(nothing);
    });
}
function fieldOf(id, displayName, required) {
    return {
        id,
        displayName,
        required,
        defaultMatch: false,
        canBeUsedToMatch: false,
        display: true,
        type: 'string',
    };
}
function none(emptyFieldsNotice) {
    return { fields: [], emptyFieldsNotice };
}
