import { createHash, randomBytes, timingSafeEqual } from 'crypto';
import { parseUrl } from '../util/values';
export const secretParameter = 'secret';
export const eventParameter = 'event';
export function makeSecret() {
    return randomBytes(32).toString('base64url');
}
export function addressWithSecret(webhookUrl, secret, event) {
    const separator = webhookUrl.includes('?') ? '&' : '?';
    return `${webhookUrl}${separator}${secretParameter}=${secret}&${eventParameter}=${event}`;
}
export function normalAddress(address) {
    return parseUrl(address)?.href ?? address;
}
export function isSameNode(one, other) {
    const [first, second] = [one, other].map((each) => normalAddress(each).split('?')[0]);
    return first === second;
}
export function webhookName(context) {
    return `n8n: ${context.getWorkflow().name ?? 'workflow'}`.slice(0, 100);
}
export function isSecret(given, expected) {
    if (typeof given !== 'string' || typeof expected !== 'string' || expected === '')
        return false;
    return timingSafeEqual(digest(given), digest(expected));
}
function digest(text) {
    return createHash('sha256').update(text).digest();
}
