import { idOf, listTemplates, templateVersions } from '../api/templates';
import { ServiceClient } from '../http/client';
import { withNodeErrors } from '../http/errors';
export async function getTemplates() {
    return await withNodeErrors(this, async () => {
        const service = new ServiceClient(this);
        const lists = await Promise.allSettled(templateVersions.map(async (version) => await listTemplates(service, version)));
        const loaded = lists.filter((each) => each.status === 'fulfilled');
        const [first] = lists;
        if (loaded.length === 0 && first?.status === 'rejected')
            throw first.reason;
        const templates = loaded.flatMap((each) => each.value);
        const names = new Map(templates.map((each) => [idOf(each), each.name || idOf(each)]));
        return [...names]
            .map(([value, name]) => ({ name, value }))
            .sort((left, right) => left.name.localeCompare(right.name));
    });
}
