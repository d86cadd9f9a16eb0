import { isEvent } from '../api/events';
import { readNotification } from '../api/notification';
import { isObject, parseJson } from '../util/values';
export const largestBody = 8 * 1024 * 1024;
export const deepestBody = 100;
export function validateBody(incoming, types, addressed) {
    if ((incoming.rawBody?.length ?? 0) > largestBody) {
        return refuse(413, `The body must not exceed ${largestBody / 1024 / 1024} MB.`);
    }
    const body = readBody(incoming);
    if (!body)
        return refuse(400, 'The body must be a JSON object.');
    if (!isShallow(body))
        return refuse(400, 'The body is nested too deeply.');
    const event = eventOf(body, types, addressed);
    if (event === undefined)
        return refuse(422, 'This workflow has not subscribed to this event.');
    return { accepted: true, notification: readNotification(event, body) };
}
export async function readEvent(context, types, addressed) {
    return (await readUnparsed(context)) ?? validateBody(incomingOf(context), types, addressed);
}
async function readUnparsed(context) {
    const request = context.getRequestObject();
    if (request.rawBody || isForm(context))
        return undefined;
    try {
        await request.readRawBody?.();
        return undefined;
    }
    catch (error) {
        return isObject(error) && error.status === 413
            ? refuse(413, 'The body is larger than this n8n accepts.')
            : refuse(400, 'The body cannot be read.');
    }
}
export function incomingOf(context) {
    const request = context.getRequestObject();
    return {
        body: isForm(context) ? undefined : context.getBodyData(),
        rawBody: request.rawBody,
        encoding: request.encoding,
    };
}
function isForm(context) {
    const { headers } = context.getRequestObject();
    return /^\s*multipart\//i.test(headers['content-type'] ?? '');
}
function refuse(status, reason) {
    return { accepted: false, status, reason };
}
function eventOf({ type }, types, addressed) {
    const event = isEvent(type) ? type : addressed;
    return event !== undefined && types.includes(event) ? event : undefined;
}
function readBody({ body, rawBody, encoding }) {
    const text = rawBody
        ? rawBody.toString(encoding && Buffer.isEncoding(encoding) ? encoding : 'utf8')
        : body;
    const value = typeof text === 'string' ? parseJson(text.replace(/^\uFEFF/, '')) : text;
    return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
}
function isShallow(value) {
    let level = [value];
    for (let depth = 0; level.length > 0; depth++) {
        if (depth > deepestBody)
            return false;
        level = level.flatMap((each) => typeof each === 'object' && each !== null ? Object.values(each) : []);
    }
    return true;
}
