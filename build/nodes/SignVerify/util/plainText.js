const longest = 2000;
export function plainText(text, most = longest) {
    const plain = wellFormed(text.slice(0, 4 * most))
        .replace(/\s+/g, ' ')
        .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
        .trim()
        .replace(/</g, '‹')
        .replace(/>/g, '›');
    return plain.length <= most ? plain : `${wellFormed(plain.slice(0, most - 1))}…`;
}
function wellFormed(text) {
    return text.replace(/\p{Surrogate}/gu, '');
}
const window = 4000;
const edge = 200;
export function quote(text, hide, most = 300) {
    return plainText(beginningOf(text, hide), most);
}
export function beginningOf(text, hide) {
    const seen = hide(text.slice(0, window));
    return text.length > window ? seen.slice(0, -edge) : seen;
}
