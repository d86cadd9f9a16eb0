import { idOf, listTemplates } from '../api/templates';
import { listWebhooks } from '../api/webhooks';
import { events } from '../api/events';
import { searchCountryNames } from '../operations/document/country';
import { readTemplateVersion } from '../operations/template/fields';
import { redactRegistration } from '../operations/webhook/registration';
import { ServiceClient } from '../http/client';
import { InputError, withNodeErrors } from '../http/errors';
import { textOf } from '../util/values';
export async function searchTemplates(filter) {
    return await withNodeErrors(this, async () => {
        const version = readTemplateVersion(this.getCurrentNodeParameter('templateVersion'));
        const templates = await listTemplates(new ServiceClient(this), version);
        const all = this.getCurrentNodeParameter('options.includeInactive') === true;
        const entries = templates
            .filter((template) => all || isActive(template))
            .map((template) => ({ name: labelOf(template), value: idOf(template) }));
        return matching(entries, filter, nothingToChoose(version, templates.length));
    });
}
function matching(entries, filter, nothing) {
    const wanted = (filter ?? '').trim().toLowerCase();
    const results = entries
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .sort((left, right) => left.name.localeCompare(right.name));
    if (!results.length && !wanted)
        throw nothing;
    return { results };
}
function nothingToChoose(version, inactive) {
    const [number, other] = version === 'v1' ? [1, 2] : [2, 1];
    return inactive
        ? new InputError('Template', `no version ${number} template is active; "List Inactive Templates" in the options shows the others`, 'Activate one at the service, or switch on that option.')
        : new InputError('Template', `the account has none of version ${number}; it may have some of version ${other}`, `Make one at the service, or set Template Version to "Version ${other}".`);
}
function isActive(template) {
    return !('status' in template) || !template.status || template.status === 'ACTIVE';
}
function labelOf(template) {
    const { name, description } = template;
    const label = description ? `${name} – ${description}` : name;
    return isActive(template) ? label : `${label} (not active)`;
}
export async function searchCountries(filter) {
    return { results: searchCountryNames(filter) };
}
export async function searchWebhooks(filter) {
    return await withNodeErrors(this, async () => {
        const registrations = await listWebhooks(new ServiceClient(this));
        const entries = registrations
            .map(redactRegistration)
            .map(({ type, webHookUrl, webHookID }) => ({
            name: `${nameOf(type)} – ${textOf(webHookUrl)}`,
            value: textOf(webHookID),
        }));
        const nothing = new InputError('Webhook', 'the account has none', 'There is nothing to delete. A webhook for identity verifications may be missing here: choose it by its ID.');
        return matching(entries, filter, nothing);
    });
}
function nameOf(type) {
    return events.find(({ value }) => value === type)?.name ?? textOf(type);
}
