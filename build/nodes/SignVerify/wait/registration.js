import { createHash, randomBytes } from 'crypto';
import { eventParameter, webhookName } from '../webhooks/url';
import { onlyIds, syncRegistrations, } from '../webhooks/sync';
import { removeRegistrations } from '../webhooks/remove';
import { parseUrl, textOf } from '../util/values';
export const waitParameter = 'wait';
const ownerParameter = 'n8n';
export function makeWait() {
    return randomBytes(18).toString('base64url');
}
export function resumeAddress(execute, wait, event) {
    return execute.getSignedResumeUrl({
        [ownerParameter]: instanceOf(execute),
        [waitParameter]: wait,
        [eventParameter]: event,
    });
}
function instanceOf(execute) {
    return createHash('sha256').update(execute.getInstanceId()).digest('base64url').slice(0, 12);
}
export const errorsOfStart = {
    topic: 'waiting',
    later: 'Run the workflow again in a moment.',
    data: 'Nothing was sent.',
};
export const errorsOfRetry = {
    topic: 'waiting',
    later: 'Retry this execution in a moment.',
    data: 'Everything was sent before, so do not run the workflow again. Retry this execution. It then waits again and sends nothing.',
};
export async function registerWait(execute, service, types, wait, errors) {
    const addressFor = (type) => resumeAddress(execute, wait, type);
    const known = { ...onlyIds, ids: {} };
    const addresses = types.map(addressFor);
    await syncRegistrations(service, {
        addressFor,
        isOwn: (address) => waitOf(address) === wait,
        types,
        name: webhookName(execute),
        secrets: [wait, ...addresses.flatMap((each) => [each, new URL(each).search.slice(1)])],
        errors,
    }, known);
    return { ids: known.ids, wait, execution: execute.getExecutionId() };
}
export async function removeWait(service, { ids, wait }) {
    const known = { ...onlyIds, ids: { ...ids } };
    await removeRegistrations(service, known, (address) => waitOf(address) === wait);
}
function waitOf(address) {
    return parseUrl(address)?.searchParams.get(waitParameter) ?? undefined;
}
export function isOfThisInstance({ webHookUrl }, execute) {
    const address = textOf(webHookUrl);
    return (waitOf(address) !== undefined &&
        parseUrl(address)?.searchParams.get(ownerParameter) === instanceOf(execute) &&
        baseOf(address) === baseOf(execute.getSignedResumeUrl()));
}
export function executionOf(address) {
    return new URL(address).pathname.split('/').at(-2) ?? '';
}
function baseOf(address) {
    const { origin, pathname } = new URL(address);
    return `${origin}${pathname.split('/').slice(0, -2).join('/')}`;
}
