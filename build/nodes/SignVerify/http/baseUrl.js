import { parseUrl } from '../util/values';
import { ServiceError } from './errors';
export function normalizeBaseUrl(value) {
    const text = typeof value === 'string' ? value.trim() : '';
    const parsed = parseUrl(text);
    if (!text)
        throw wrong('it is empty. Enter the URL that your provider gave you');
    if (!parsed || !/^https?:$/.test(parsed.protocol)) {
        throw wrong('this is not a URL. It must begin with https:// or http://');
    }
    if (parsed.search || parsed.hash)
        throw wrong('it must end before any "?" or "#"');
    return withoutSlashes(`${parsed.origin}${parsed.pathname}`);
}
function wrong(problem) {
    return new ServiceError({
        message: `Base URL: ${problem}`,
        description: 'Correct it in the credential. An example is https://sign.example.com/api.',
        topic: 'the-credential',
    });
}
export function withoutSlashes(url) {
    let end = url.length;
    while (url[end - 1] === '/')
        end--;
    return url.slice(0, end);
}
export function originOf(url) {
    return parseUrl(url)?.origin ?? 'the Base URL';
}
export function isWebAddress(text) {
    return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
export function pathBelow(baseUrl, url) {
    const base = parseUrl(baseUrl);
    const target = parseUrl(url);
    if (!base || !target || base.origin !== target.origin)
        return undefined;
    const root = withoutSlashes(base.pathname);
    if (target.pathname !== root && !target.pathname.startsWith(`${root}/`))
        return undefined;
    return target.pathname.slice(root.length) || '/';
}
