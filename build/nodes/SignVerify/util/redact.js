const shortestPart = 8;
const shortestSecret = 4;
const shortestInAddress = 12;
export function redact(text, secrets) {
    const { whole, parts } = needlesOf(secrets);
    if (whole.size === 0)
        return text;
    const hidden = new Uint8Array(text.length);
    for (const { characters, starts } of decodings(text)) {
        const hide = (from, length) => {
            hidden.fill(1, starts[from], starts[from + length]);
        };
        const folded = fold(characters);
        for (const needle of whole) {
            let at = folded.indexOf(needle);
            for (; at >= 0; at = folded.indexOf(needle, at + 1))
                hide(at, needle.length);
        }
        for (let at = 0; at + shortestPart <= folded.length; at++) {
            if (parts.has(folded.slice(at, at + shortestPart)))
                hide(at, shortestPart);
        }
    }
    return blank(text, hidden);
}
function blank(text, hidden) {
    let shown = '';
    for (let at = 0; at < text.length; at++) {
        if (!hidden[at])
            shown += text[at];
        else if (!hidden[at - 1])
            shown += '…';
    }
    return shown;
}
function needlesOf(secrets) {
    const whole = new Set();
    const parts = new Set();
    for (const secret of secrets) {
        if (typeof secret !== 'string' || secret.length < shortestSecret)
            continue;
        for (const form of [secret, ...inBase64(secret)])
            whole.add(fold(form));
        for (const value of valuesOf(secret)) {
            for (const form of [value, ...inBase64(value)].map(fold)) {
                for (let at = 0; at + shortestPart <= form.length; at++) {
                    parts.add(form.slice(at, at + shortestPart));
                }
            }
        }
    }
    return { whole, parts };
}
function valuesOf(secret) {
    const behindHost = /^https?:\/\/[^/?#]*/i.exec(secret)?.[0].length;
    if (behindHost === undefined)
        return [secret];
    const parts = secret.slice(behindHost).split(/[/?&#=]/);
    return parts.filter((part) => part.length >= shortestInAddress);
}
function inBase64(value) {
    if (value.length < shortestPart)
        return [];
    return [0, 1, 2].flatMap((skipped) => {
        const bytes = Buffer.from(value).subarray(skipped);
        const whole = bytes.subarray(0, bytes.length - (bytes.length % 3));
        return [whole.toString('base64'), whole.toString('base64url')];
    });
}
function fold(text) {
    return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\s+]/g, ' ');
}
const mostLayers = 2;
const unseen = /[\p{Cc}\p{Cf}]/u;
const named = new Map([
    ['amp', '&'],
    ['lt', '<'],
    ['gt', '>'],
    ['quot', '"'],
    ['apos', "'"],
    ['nbsp', ' '],
]);
const encodings = [
    {
        sign: '%',
        pattern: /%(?:(c[23])%([89ab][0-9a-f])|([0-9a-f]{2}))/iy,
        read: ([, first, second, byte = '']) => first && second ? decodeURIComponent(`%${first}%${second}`) : fromHex(byte),
    },
    {
        sign: '&',
        pattern: /&(?:#(\d{1,7});?|#x([0-9a-f]{1,6});?|([a-z]{2,4});)/iy,
        read: ([, decimal, hex, name = '']) => named.get(name.toLowerCase()) ??
            fromHex(decimal ? Number(decimal).toString(16) : (hex ?? '')),
    },
    {
        sign: '\\',
        pattern: /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([^\sa-z0-9]))/iy,
        read: ([, long, short, escaped]) => escaped ?? fromHex(long ?? short ?? ''),
    },
];
function decodings(text) {
    const starts = Array.from({ length: text.length + 1 }, (_, index) => index);
    const original = { characters: text, starts };
    const plain = unseen.test(text)
        ? mapped(original, (all, at) => [1, seen(all.charAt(at))])
        : undefined;
    const all = plain ? [original, plain] : [original];
    let layer = [plain ?? original];
    for (let depth = 0; depth < mostLayers; depth++) {
        layer = layer.flatMap((each) => encodings.flatMap((encoding) => decoded(each, encoding)));
        all.push(...layer);
    }
    return all;
}
function decoded(text, encoding) {
    if (!text.characters.includes(encoding.sign))
        return [];
    const next = mapped(text, (characters, at) => {
        const own = characters.charAt(at);
        encoding.pattern.lastIndex = at;
        const match = own === encoding.sign ? encoding.pattern.exec(characters) : null;
        const character = match ? encoding.read(match) : undefined;
        return match && character !== undefined ? [match[0].length, seen(character)] : [1, own];
    });
    return next.characters.length < text.characters.length ? [next] : [];
}
function mapped(text, read) {
    let characters = '';
    const starts = [];
    for (let at = 0; at < text.characters.length;) {
        const [length, character] = read(text.characters, at);
        if (character)
            starts.push(text.starts[at] ?? 0);
        characters += character;
        at += length;
    }
    starts.push(text.starts[text.characters.length] ?? 0);
    return { characters, starts };
}
function seen(character) {
    return unseen.test(character) ? '' : character;
}
function fromHex(hex) {
    const code = parseInt(hex, 16);
    return code > 0 && code < 0x1_0000 ? String.fromCharCode(code) : undefined;
}
