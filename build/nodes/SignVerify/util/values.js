export function textOf(value) {
    if (typeof value === 'string')
        return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
export function firstText(...values) {
    return values.map(textOf).find((text) => text !== '');
}
export function reasonOf(error) {
    return error instanceof Error ? error.message : 'unknown reason';
}
export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export function objectOf(value) {
    return isObject(value) ? value : {};
}
export function listOf(value) {
    return Array.isArray(value) ? value : [];
}
export function isEmpty(value) {
    return value === undefined || value === null || value === '';
}
export function parseJson(text, otherwise) {
    try {
        return JSON.parse(text);
    }
    catch {
        return otherwise;
    }
}
export function parseUrl(text) {
    return URL.canParse(text) ? new URL(text) : undefined;
}
export function decodeUrlPart(text) {
    try {
        return decodeURIComponent(text);
    }
    catch {
        return text;
    }
}
export function isoTime(value) {
    const text = textOf(value);
    if (text === '')
        return undefined;
    const date = new Date(/^-?\d+$/.test(text) ? Number(text) : text);
    return Number.isNaN(date.getTime()) ? text : date.toISOString();
}
export function readMoment(value) {
    const text = typeof value === 'boolean' ? '' : textOf(value).trim();
    const isDigits = /^\d{1,16}(?:\.\d+)?$/.test(text);
    const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
    if (!isDigits && !isIso)
        return undefined;
    const time = isDigits ? Number(text) : Date.parse(text);
    return Number.isNaN(time) ? undefined : time;
}
const deepest = 3;
export function placesIn(answer, isWrapper, depth = 0) {
    const list = Array.isArray(answer) ? answer : [answer];
    const [place] = list;
    if (list.length !== 1 || !isObject(place) || depth > deepest)
        return [];
    const inner = Object.entries(place).filter(([name]) => isWrapper(name.toLowerCase()));
    return [...inner.flatMap(([, value]) => placesIn(value, isWrapper, depth + 1)), place];
}
export function remember(map, key, value, most) {
    map.delete(key);
    map.set(key, value);
    const [oldest] = map.keys();
    if (map.size > most && oldest !== undefined)
        map.delete(oldest);
}
