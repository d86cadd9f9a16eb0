import { createHash, randomBytes } from 'crypto';
import { identityEvent } from '../api/events';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import { attempt } from '../util/async';
import { parseUrl, textOf } from '../util/values';
import { removeRegistrations } from '../webhooks/remove';
import { onlyIds, syncRegistrations, } from '../webhooks/sync';
import { eventParameter, webhookName } from '../webhooks/url';
export const resumeTokenParameter = 'resumeToken';
const untilParameter = 'until';
const ownerParameter = 'n8n';
const day = 86_400_000;
const maxRemoved = 20;
let isRemoving = false;
export function newResumeToken() {
    return randomBytes(18).toString('base64url');
}
export async function registerWait(execute, service, event, resumeToken, until) {
    const url = execute.getSignedResumeUrl({
        [ownerParameter]: ownerOf(execute),
        [untilParameter]: String(until.getTime()),
        [resumeTokenParameter]: resumeToken,
        [eventParameter]: event,
    });
    const known = { ...onlyIds, ids: {} };
    await syncRegistrations(service, {
        addressFor: () => url,
        isOwn: (address) => tokenOf(address) === resumeToken,
        types: [event],
        name: webhookName(execute),
        secrets: [resumeToken, url, new URL(url).search.slice(1)],
        errors: {
            topic: 'waiting',
            later: 'Run the workflow again in a moment.',
            data: 'Nothing was sent.',
        },
    }, known);
    return { resumeToken, ids: known.ids };
}
export async function removeWait(service, { resumeToken, ids }) {
    const known = { ...onlyIds, ids: { ...ids } };
    await removeRegistrations(service, known, (address) => tokenOf(address) === resumeToken);
}
export async function removeExpired(execute, service) {
    if (isRemoving)
        return;
    isRemoving = true;
    const isExpired = (each) => isOfThisUrl(each, execute) &&
        (endOfWait(each, execute)?.getTime() ?? Infinity) < Date.now() - day;
    const remove = async () => {
        const expired = (await listWebhooks(service)).filter(isExpired);
        const isLast = ({ type }) => Number(type === identityEvent);
        expired.sort((left, right) => isLast(left) - isLast(right));
        for (const each of expired.slice(0, maxRemoved))
            await attempt(removeWebhook(service, each));
    };
    await attempt(remove());
    isRemoving = false;
}
export function endOfWait({ webHookUrl }, execute) {
    const parameters = parseUrl(textOf(webHookUrl))?.searchParams;
    const until = new Date(Number(parameters?.get(untilParameter) || NaN));
    const isOwn = parameters?.has(resumeTokenParameter) && parameters.get(ownerParameter) === ownerOf(execute);
    return isOwn && !Number.isNaN(until.getTime()) ? until : undefined;
}
function ownerOf(execute) {
    return createHash('sha256').update(execute.getInstanceId()).digest('base64url').slice(0, 12);
}
function tokenOf(address) {
    return parseUrl(address)?.searchParams.get(resumeTokenParameter) ?? undefined;
}
function isOfThisUrl({ webHookUrl }, execute) {
    return baseOf(textOf(webHookUrl)) === baseOf(execute.getSignedResumeUrl());
}
function baseOf(address) {
    const url = parseUrl(address);
    return url && `${url.origin}${url.pathname.split('/').slice(0, -2).join('/')}`;
}
