import { identityEvent } from '../api/events';
import { listWebhooks, registerWebhook, removeWebhook } from '../api/webhooks';
import { ServiceError } from '../http/errors';
import { attempt } from '../util/async';
import { reasonOf, textOf } from '../util/values';
import { normalAddress } from './url';
export const onlyIds = {
    address: undefined,
    identityListed: true,
    identityRemovable: true,
};
export async function syncRegistrations(service, wanted, known) {
    const existing = await listWebhooks(service);
    const { missing, obsolete, kept } = compareRegistrations(existing, wanted, known);
    const unlisted = obsolete.filter((each) => !existing.includes(each));
    for (const each of unlisted)
        await removeWebhook(service, each);
    known.identityListed ||= showsIdentity(existing);
    known.address = wanted.addressFor(identityEvent);
    known.ids = Object.fromEntries(kept.map((each) => [each.type, each.webHookID]));
    const isLast = (type) => type === identityEvent;
    const ordered = [...missing.filter((type) => !isLast(type)), ...missing.filter(isLast)];
    for (const [index, type] of ordered.entries()) {
        try {
            known.ids[type] = await register(service, type, wanted);
        }
        catch (error) {
            const left = await undo(service, ordered.slice(0, index), known);
            throw notRegistered(type, error, left, wanted.errors);
        }
    }
    for (const each of obsolete) {
        if (!unlisted.includes(each))
            await removeWebhook(service, each);
    }
    if (missing.includes(identityEvent) && !known.identityListed) {
        known.identityListed = showsIdentity(await listWebhooks(service));
    }
}
async function register(service, type, wanted) {
    const { name, secrets } = wanted;
    const webhook = { type, url: wanted.addressFor(type), name };
    const { webHookID } = await registerWebhook(service, webhook, { secrets });
    const id = textOf(webHookID);
    if (id !== '')
        return id;
    const nothing = { ...onlyIds, ids: {} };
    const listed = await listWebhooks(service);
    const [found] = compareRegistrations(listed, { ...wanted, types: [type] }, nothing).kept;
    if (found)
        return found.webHookID;
    if (type === identityEvent)
        return '';
    throw new ServiceError({
        message: 'The service confirmed the registration, but does not list it',
        description: wanted.errors.later,
        topic: wanted.errors.topic,
    });
}
async function undo(service, types, known) {
    const left = [];
    for (const type of types) {
        const webHookID = known.ids[type] ?? '';
        const done = await attempt(removeWebhook(service, { webHookID, type }));
        if (done.ok && done.value !== 'refused')
            delete known.ids[type];
        else
            left.push(webHookID);
    }
    return left;
}
function notRegistered(type, error, left, { topic, data }) {
    const { description = '', answered } = error instanceof ServiceError ? error : {};
    const rest = left.length ? `Could not be undone: registration ${left.join(', ')}.` : '';
    return new ServiceError({
        message: `The event ${type} could not be registered: ${reasonOf(error)}`,
        description: [description, rest, data].filter(Boolean).join(' '),
        topic,
        ...(answered === undefined ? {} : { httpStatus: answered }),
    });
}
export function compareRegistrations(existing, { addressFor, isOwn, types }, known) {
    const kept = [];
    const obsolete = [];
    for (const each of withUnlisted(existing, known)) {
        const address = textOf(each.webHookUrl);
        if (!isOwn(address) && !Object.values(known.ids).includes(each.webHookID))
            continue;
        const type = types.find((type) => type === each.type);
        const wanted = type !== undefined &&
            normalAddress(address) === normalAddress(addressFor(type)) &&
            !kept.some((other) => other.type === type);
        (wanted ? kept : obsolete).push(each);
    }
    const missing = types.filter((type) => !kept.some((each) => each.type === type));
    return { missing, obsolete, kept };
}
export function showsIdentity(existing) {
    return existing.some((each) => each.type === identityEvent);
}
function withUnlisted(existing, { ids, address, identityListed }) {
    const webHookID = ids[identityEvent];
    if (webHookID === undefined || identityListed || showsIdentity(existing))
        return existing;
    return [...existing, { webHookID, type: identityEvent, webHookUrl: address ?? '' }];
}
