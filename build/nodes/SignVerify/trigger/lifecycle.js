import { identityEvent, isEvent } from '../api/events';
import { listWebhooks } from '../api/webhooks';
import { readFileSeconds } from '../webhooks/files';
import { addressWithSecret, isSameNode, makeSecret, webhookName } from '../webhooks/url';
import { compareRegistrations, syncRegistrations, } from '../webhooks/sync';
import { removeRegistrations } from '../webhooks/remove';
import { ServiceClient } from '../http/client';
import { InputError, withNodeErrors } from '../http/errors';
import { readAll } from '../operations/problems';
import { listOf, textOf } from '../util/values';
import { forgetRegistrations, ownerOf, standingOf, stateOf, } from './state';
export function readEvents(value) {
    const list = listOf(value);
    if (list.length === 0)
        throw new InputError('Events', 'none is chosen', 'Choose at least one event.', 'the-trigger');
    if (list.every(isEvent))
        return [...new Set(list)];
    throw new InputError('Events', `there is no event "${textOf(list.find((each) => !isEvent(each)))}"`, 'Choose events from the list.', 'the-trigger');
}
export async function checkExists() {
    return await withNodeErrors(this, async () => {
        const { state, address, standing } = find(this);
        if (standing !== 'own' || !state.secret)
            return false;
        const wanted = wantedOf(this, address, state.secret);
        const existing = await listWebhooks(new ServiceClient(this));
        const { missing, obsolete } = compareRegistrations(existing, wanted, knownOf(state));
        return missing.length === 0 && obsolete.length === 0;
    });
}
export async function create() {
    return await withNodeErrors(this, async () => {
        const { state, address, standing } = find(this);
        const secret = (standing === 'own' && state.secret) || makeSecret();
        const wanted = wantedOf(this, address, secret);
        if (standing !== 'own')
            abandon(this, state, standing);
        Object.assign(state, { owner: ownerOf(this), address, secret });
        const known = knownOf(state);
        try {
            await syncRegistrations(new ServiceClient(this), wanted, known);
        }
        finally {
            keep(state, known);
        }
        return true;
    });
}
export async function remove() {
    return await withNodeErrors(this, async () => {
        const { state, address, standing } = find(this);
        if (standing !== 'own') {
            abandon(this, state, standing);
            return true;
        }
        const known = knownOf(state);
        try {
            await removeRegistrations(new ServiceClient(this), known, (found) => isSameNode(found, address));
        }
        finally {
            keep(state, known);
        }
        if (Object.keys(known.ids).length > 0) {
            this.logger.warn('SignVerify Trigger: the service did not delete the registration for identity verifications. It stays at the service, is refused here from now on, and is used again when the workflow is published or activated.');
            return true;
        }
        forgetRegistrations(state);
        return true;
    });
}
function abandon(context, state, standing) {
    if (standing === 'moved') {
        context.logger.warn('SignVerify Trigger: the webhook URL of this n8n has changed. Webhooks with the old URL may be left at the service. Find them with "Webhook: Get Many" and delete them with "Webhook: Delete".');
    }
    forgetRegistrations(state);
    if (standing === 'foreign')
        delete state.identityRemovable;
}
function wantedOf(context, own, secret) {
    const options = context.getNodeParameter('options', {});
    const { types } = readAll({
        types: () => readEvents(context.getNodeParameter('events')),
        seconds: () => readFileSeconds(options.fileSeconds),
    });
    return {
        addressFor: (type) => addressWithSecret(own, secret, type),
        isOwn: (address) => isSameNode(address, own),
        types,
        name: webhookName(context),
        secrets: [secret],
        errors: {
            topic: 'the-trigger',
            later: 'Publish the workflow again in a moment; on n8n 1, activate it.',
            data: '',
        },
    };
}
function find(context) {
    const address = context.getNodeWebhookUrl('default');
    if (!address) {
        throw new InputError('Webhook', 'n8n gives this node no address', 'Save the workflow and publish it again; on n8n 1, activate it.', 'the-trigger');
    }
    const state = stateOf(context);
    return { address, state, standing: standingOf(context, state, address) };
}
function knownOf(state) {
    const { address, secret, identityUnsure } = state;
    const isSure = address && secret && !identityUnsure;
    return {
        ids: { ...state.webHookIDs },
        address: isSure ? addressWithSecret(address, secret, identityEvent) : undefined,
        identityListed: state.identityListed ?? false,
        identityRemovable: state.identityRemovable ?? false,
    };
}
function keep(state, known) {
    state.webHookIDs = known.ids;
    delete state.identityUnsure;
    if (known.ids[identityEvent] !== undefined && !known.address)
        state.identityUnsure = true;
    if (known.identityListed)
        state.identityListed = true;
    if (known.identityRemovable)
        state.identityRemovable = true;
}
