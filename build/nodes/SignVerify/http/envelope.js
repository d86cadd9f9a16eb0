import { beginningOf, quote } from '../util/plainText';
import { isEmpty, isObject, parseJson, textOf } from '../util/values';
const longestJson = 10_000;
const longestLead = 1000;
const mostMessages = 10;
const deepest = 4;
const pathNames = ['path', 'param', 'field', 'property'];
const longestPath = 200;
const mostNames = 8;
const longestName = 40;
export function readEnvelope(body) {
    if (!isObject(body))
        return undefined;
    if (!('responseData' in body) && !('success' in body) && !('responseCode' in body)) {
        return undefined;
    }
    return body;
}
export function messageOf(body, hide = asItIs) {
    const value = valueOf(body);
    const words = isObject(value)
        ? wordsOf(value.message ?? value.error ?? value.msg, hide)
        : wordsOf(value, hide);
    return quote(words ?? '', hide) || undefined;
}
export function complaintsOf(body, hide) {
    const value = valueOf(body);
    const said = isObject(value) ? (value.message ?? value.error ?? value.msg) : undefined;
    return complaintsIn(said, undefined)
        .slice(0, mostMessages)
        .map(({ text, path }) => ({
        text: quote(text, hide),
        ...(path ? { path: quote(path, hide, longestPath) } : {}),
    }))
        .filter(({ text }) => text);
}
export function describeBody(body, hide = asItIs) {
    const value = valueOf(body);
    if (isEmpty(value))
        return 'an empty body';
    if (typeof value === 'string') {
        if (!isHtml(value))
            return 'text that is not JSON';
        const title = messageOf(value, hide);
        return title ? `a web page titled "${title}"` : 'a web page';
    }
    if (Array.isArray(value))
        return 'a JSON list';
    if (!isObject(value))
        return `a JSON ${typeof value}`;
    const names = Object.keys(value).slice(0, mostNames);
    if (names.length === 0)
        return 'an empty JSON object';
    return `JSON with the fields ${names.map((name) => quote(name, hide, longestName)).join(', ')}`;
}
function asItIs(text) {
    return text;
}
function valueOf(body) {
    if (typeof body !== 'string' || body.length > longestJson)
        return body;
    return parseJson(body, body) ?? body;
}
function wordsOf(value, hide, depth = 0) {
    if (typeof value === 'string')
        return isHtml(value) ? htmlTitle(value, hide) : value;
    if (depth > deepest)
        return undefined;
    if (Array.isArray(value)) {
        return value
            .slice(0, mostMessages)
            .map((each) => (isObject(each) ? (each.msg ?? each.message) : each))
            .map((each) => wordsOf(each, hide, depth + 1))
            .filter((text) => text)
            .join('; ');
    }
    return isObject(value) ? wordsOf(value.msg ?? value.message, hide, depth + 1) : undefined;
}
function complaintsIn(value, path, depth = 0) {
    if (typeof value === 'string')
        return [{ text: value, ...(path ? { path } : {}) }];
    if (depth > deepest)
        return [];
    if (Array.isArray(value)) {
        const list = value.slice(0, mostMessages);
        return list.flatMap((each) => complaintsIn(each, path, depth + 1));
    }
    if (!isObject(value))
        return [];
    const named = pathNames.map((name) => value[name]).find((each) => each !== undefined);
    const steps = (Array.isArray(named) ? named : [named]);
    const ownPath = steps.map(textOf).join('.') || path;
    return complaintsIn(value.msg ?? value.message, ownPath, depth + 1);
}
function isHtml(text) {
    return /^\s*<(!doctype|html|head|body)/i.test(text.slice(0, longestLead));
}
function htmlTitle(text, hide) {
    const page = beginningOf(text, hide);
    const tag = page.search(/<title/i);
    const from = tag < 0 ? 0 : page.indexOf('>', tag) + 1;
    const to = page.indexOf('<', from);
    return from > 0 && to >= 0 ? page.slice(from, to) : undefined;
}
