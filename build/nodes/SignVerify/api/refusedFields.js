import { isObject } from '../util/values';
export const documentNames = {
    templateid: 'Template',
    template: 'Template',
    country: 'Country',
    inputs: 'Fields',
    'inputs.*': 'Fields: *',
    signatories: 'Signatories',
    'signatories.#': 'Signatory #',
    'signatories.#.email': 'Signatory #, Email',
    'signatories.#.name': 'Signatory #, Name',
    staticsignpositions: 'Signature Positions',
    'staticsignpositions.#': 'Signature Position #',
    'staticsignpositions.#.user': 'Signature Position #, Signatory Email',
    'staticsignpositions.#.user.email': 'Signature Position #, Signatory Email',
    'staticsignpositions.#.coordinates': 'Signature Position #, Place',
    'staticsignpositions.#.coordinates.x': 'Signature Position #, Left',
    'staticsignpositions.#.coordinates.y': 'Signature Position #, Top',
    'staticsignpositions.#.page': 'Signature Position #, Page',
    'staticsignpositions.#.pagey': 'Signature Position #, Top',
    'staticsignpositions.#.pageyv2': 'Signature Position #, Top',
    'staticsignpositions.#.color': 'Signature Position #, Color',
    'staticsignpositions.#.imagesize.width': 'Signature Position #, Width',
    'staticsignpositions.#.imagesize.height': 'Signature Position #, Height',
    'staticsignpositions.#.*': 'Signature Position #',
};
export const identityNames = {
    email: 'Email',
    type: 'Verification Type',
    backgroundcheck: 'Background Check',
};
export const webhookNames = {
    url: 'Webhook URL',
    webhookurl: 'Webhook URL',
    type: 'Event',
    name: 'Name',
};
const seen = new Map([
    [
        'some emails are repeated',
        { field: 'Signatories', reason: 'the service wants another e-mail address for each' },
    ],
    [
        'some emails has invalid format or are empty',
        { field: 'Signatories', reason: 'the service wants a valid e-mail address for each' },
    ],
]);
export function explainWith(names, body, labels = {}) {
    return ({ text, path }) => {
        const known = names === documentNames ? seen.get(text.replace(/\.$/, '').toLowerCase()) : undefined;
        if (known)
            return known;
        const { at, said, isCertain } = path ? { at: path, said: text, isCertain: true } : split(text);
        const [, missing] = lacking.exec(said) ?? [];
        const steps = [...stepsOf(at), ...(missing ? [missing] : [])];
        const field = fieldOf(steps, names, labels);
        if (!field)
            return undefined;
        const wanted = missing ? 'a value' : wantedBy(said);
        if (wanted)
            return { field, reason: `the service wants ${wanted}${lengthOf(wanted, body, steps)}` };
        return isCertain || predicate.test(said)
            ? { field, reason: `the service says "${said}"` }
            : undefined;
    };
}
const lacking = /^(?:must have required property|lacks a value for the required key:?) '?([^\s']+)'?$/i;
const predicate = /^(?:must|should|is|are|has|have|needs?|can|cannot|does|not|already|length|required|invalid|expected)\b/i;
function split(text) {
    const [, quoted, bare, said = ''] = /^(?:["'`]([^"'`]+)["'`]|([^\s"'`:]+)):?\s+(.+)$/s.exec(text) ?? [];
    const at = quoted ?? bare ?? '';
    return { at, said, isCertain: quoted !== undefined || /[./[]/.test(at) };
}
function stepsOf(path) {
    const steps = path.split(/[./[\]]+/).filter(Boolean);
    return steps[0] === 'body' ? steps.slice(1) : steps;
}
function fieldOf(steps, names, { variables, signatories }) {
    const pattern = steps.map((step) => (/^\d+$/.test(step) ? '#' : step.toLowerCase()));
    const named = (key) => (Object.hasOwn(names, key) ? names[key] : undefined);
    let [name, rest] = [named(pattern.join('.')), ''];
    for (let kept = pattern.length - 1; name === undefined && kept > 0; kept--) {
        name = named([...pattern.slice(0, kept), '*'].join('.'));
        rest = steps.slice(kept).join('.');
    }
    const place = Number(steps.find((step) => /^\d+$/.test(step)) ?? 0);
    return name?.replace(/^Signatory #|#|\*/, (part) => {
        if (part === '*')
            return variables?.get(rest) ?? rest;
        const role = part === '#' ? undefined : signatories?.[place];
        return role ?? part.replace('#', String(place + 1));
    });
}
const least = /(?:longer than or equal to|greater than or equal to|at least|not (?:have fewer|be shorter|be less) than|minimum(?: allowed)? length(?: of| is)?|>=) ?\(?(\d+)/i;
const most = /(?:shorter than or equal to|less than or equal to|at most|not (?:have more|be longer|be greater) than|maximum(?: allowed)? length(?: of| is)?|no more than|<=) ?\(?(\d+)/i;
const between = /(?:between |have |of )?(\d+) (?:to|and|-) (\d+)/i;
const constraints = [
    [
        /not be empty|not allowed to be empty|cannot be empty|is required|be provided|^required$/i,
        'a value',
    ],
    [/be (?:an|a valid) e-?mail/i, 'an e-mail address'],
    [/be an? (?:valid )?ur[il]\b/i, 'a URL'],
    [/be an? (?:valid )?hexa?(?:decimal)? colou?r/i, 'a hex color'],
    [/be an integer/i, 'a whole number'],
    [/be a (?:valid )?number/i, 'a number'],
    [/be a boolean|expected boolean/i, 'true or false'],
    [/be a string|expected string/i, 'a text'],
    [/be an array|expected array/i, 'a list'],
    [/\b(?:unique|repeated|duplicated?)\b/i, 'another value for each'],
];
function wantedBy(said) {
    const range = rangeIn(said);
    if (range) {
        if (/\b(?:elements?|items?|entries)\b/i.test(said))
            return `${range} ${range.endsWith(' 1') ? 'entry' : 'entries'}`;
        return /character|length/i.test(said) ? `${range} characters` : `a number of ${range}`;
    }
    const [, allowed] = /one of(?: the following values)?:? \[?([^\]]+)\]?$/i.exec(said) ?? [];
    if (allowed && !/allowed values/i.test(allowed))
        return `one of: ${allowed}`;
    return constraints.find(([pattern]) => pattern.test(said))?.[1];
}
function rangeIn(said) {
    const [low, high] = [least.exec(said)?.[1], most.exec(said)?.[1]];
    if (low && high)
        return `${low} to ${high}`;
    if (low)
        return `at least ${low}`;
    if (high)
        return `at most ${high}`;
    const [, from, to] = /character|length/i.test(said) ? (between.exec(said) ?? []) : [];
    return from && to ? `${from} to ${to}` : undefined;
}
function lengthOf(wanted, body, steps) {
    if (!wanted.endsWith(' characters'))
        return '';
    let value = body;
    for (const step of steps) {
        if (Array.isArray(value))
            value = value[Number(step)];
        else
            value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }
    return typeof value === 'string' ? `; this has ${[...value].length}` : '';
}
