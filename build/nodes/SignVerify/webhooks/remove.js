import { identityEvent } from '../api/events';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import { ServiceError } from '../http/errors';
import { textOf } from '../util/values';
import { showsIdentity } from './sync';
export async function removeRegistrations(service, known, isOwn) {
    const failures = new Map();
    const refused = new Set();
    const remove = async (webHookID, type) => {
        try {
            const done = await removeWebhook(service, { webHookID, type });
            if (done === 'refused')
                refused.add(webHookID);
            else
                forget(known, webHookID);
            if (type === identityEvent && done === 'deleted')
                known.identityRemovable = true;
            failures.delete(webHookID);
        }
        catch (error) {
            failures.set(webHookID, error);
            const status = (error instanceof ServiceError && error.answered) || 500;
            if (type === identityEvent && status >= 500) {
                known.identityRemovable = true;
                known.address = undefined;
            }
        }
    };
    const ids = Object.entries(known.ids);
    for (const [type, id] of ids)
        await remove(id, type);
    const listed = await listWebhooks(service);
    known.identityListed ||= showsIdentity(listed);
    const own = listed.filter((each) => isOwn(textOf(each.webHookUrl)));
    for (const each of own) {
        if (!refused.has(each.webHookID))
            await remove(each.webHookID, each.type);
    }
    const isListed = (id) => listed.some((each) => each.webHookID === id);
    const mayBeThere = (type, id) => type === identityEvent && !known.identityListed ? !known.identityRemovable : isListed(id);
    const failed = [...failures].find(([id]) => isListed(id) || (id === known.ids[identityEvent] && !known.identityListed));
    if (failed)
        throw failed[1];
    const found = own.map(({ type, webHookID }) => [type, webHookID]);
    known.ids = Object.fromEntries([...found, ...ids].filter(([type, id]) => refused.has(id) && mayBeThere(type, id)));
}
function forget({ ids }, webHookID) {
    for (const [type, id] of Object.entries(ids)) {
        if (id === webHookID)
            delete ids[type];
    }
}
