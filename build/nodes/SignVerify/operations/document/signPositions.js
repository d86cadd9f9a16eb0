import { InputError } from '../../http/errors';
import { readAll, readEach, readNumber } from '../problems';
import { listOf, objectOf, textOf } from '../../util/values';
import { firstForm, todaysForm } from '../form';
import { readEmail } from '../parameters';
const page = { width: 595.28, height: 841.89 };
const boxWidth = 180;
const boxHeight = 60;
const margin = 50;
const defaultColor = '#1f4fd8';
const presets = {
    bottomLeft: { name: 'Bottom Left', left: 0, top: 1 },
    bottomCenter: { name: 'Bottom Center', left: 0.5, top: 1 },
    bottomRight: { name: 'Bottom Right', left: 1, top: 1 },
    middleLeft: { name: 'Middle Left', left: 0, top: 0.5 },
    middleCenter: { name: 'Middle Center', left: 0.5, top: 0.5 },
    middleRight: { name: 'Middle Right', left: 1, top: 0.5 },
    topLeft: { name: 'Top Left', left: 0, top: 0 },
    topCenter: { name: 'Top Center', left: 0.5, top: 0 },
    topRight: { name: 'Top Right', left: 1, top: 0 },
};
const exactOnly = { show: { place: ['exact'] } };
const boxFields = [
    {
        displayName: 'Left',
        name: 'x',
        type: 'number',
        default: margin,
        displayOptions: exactOnly,
        description: 'Distance from the left edge of the page, in PDF points (1/72 inch)',
    },
    {
        displayName: 'Top',
        name: 'y',
        type: 'number',
        default: margin,
        displayOptions: exactOnly,
        description: 'Distance from the top edge of the page, in PDF points (1/72 inch)',
    },
    {
        displayName: 'Page',
        name: 'page',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 1,
        description: 'Number of the page; the first one is 1',
    },
    {
        displayName: 'Width',
        name: 'width',
        type: 'number',
        default: boxWidth,
        description: 'Width of the signature, in PDF points (1/72 inch)',
    },
    {
        displayName: 'Height',
        name: 'height',
        type: 'number',
        default: boxHeight,
        description: 'Height of the signature, in PDF points (1/72 inch)',
    },
    {
        displayName: 'Color',
        name: 'color',
        type: 'color',
        default: defaultColor,
        description: 'Color of the box in which the signatory signs',
    },
];
const positionValues = (defaultPlace) => [
    {
        displayName: 'Signatory Email',
        name: 'email',
        type: 'string',
        default: '',
        placeholder: 'e.g. name@email.com',
        description: 'Whose signature it is; one of the signatories above',
    },
    {
        displayName: 'Place',
        name: 'place',
        type: 'options',
        options: [
            ...Object.entries(presets).map(([value, { name }]) => ({ name, value })),
            { name: 'Exact Coordinates', value: 'exact' },
        ],
        default: defaultPlace,
        description: 'Where on the page',
    },
    ...boxFields,
];
function positionsField(defaultPlace) {
    return {
        displayName: 'Signature Positions',
        name: 'signPositions',
        type: 'fixedCollection',
        typeOptions: { multipleValues: true },
        placeholder: 'Add Position',
        default: {},
        displayOptions: { show: { templateVersion: ['v1'] } },
        description: 'Where on the pages each signature goes. Without any, the service decides.',
        builderHint: { propertyHint: 'Version 1 only. The email is that of one of the signatories.' },
        options: [{ displayName: 'Position', name: 'position', values: positionValues(defaultPlace) }],
    };
}
export const signPositionsFields = [
    ...todaysForm([positionsField('bottomRight')]),
    ...firstForm([positionsField('exact')]),
];
export function readSignPositions(item, signatories) {
    const list = listOf(objectOf(item.parameter('signPositions')).position);
    return readEach(list, (entry, index) => {
        const field = `Signature Position ${index + 1}`;
        const values = objectOf(entry);
        const read = readAll({
            email: () => readWhose(values.email, `${field}, Signatory Email`, signatories),
            place: () => readBox(values, field),
            page: () => readNumber(values.page ?? 1, `${field}, Page`, { least: 1, isWhole: true }),
            color: () => readColor(values.color, `${field}, Color`),
        });
        const { x, y, width, height } = read.place;
        return {
            user: { email: read.email },
            coordinates: { x, y },
            page: read.page,
            pageY: y,
            pageYv2: y,
            color: read.color,
            imageSize: { width, height },
            parentImageSize: { ...page },
            viewport: { ...page },
        };
    });
}
function readWhose(value, field, signatories) {
    const email = readEmail(value, field);
    if (!signatories)
        return email;
    const signatory = signatories.find((each) => each.email.toLowerCase() === email.toLowerCase());
    if (signatory)
        return signatory.email;
    throw new InputError(field, `"${email}" is not one of the signatories`, `Enter one of: ${signatories.map((each) => each.email).join(', ')}.`);
}
function readBox(values, field) {
    const size = {
        width: () => readNumber(values.width ?? boxWidth, `${field}, Width`, { least: 1 }),
        height: () => readNumber(values.height ?? boxHeight, `${field}, Height`, { least: 1 }),
    };
    if (values.place === 'exact') {
        return readAll({
            x: () => readNumber(values.x, `${field}, Left`, { least: 0 }),
            y: () => readNumber(values.y, `${field}, Top`, { least: 0 }),
            ...size,
        });
    }
    const preset = presets[textOf(values.place ?? 'bottomRight')];
    if (!preset)
        throw new InputError(`${field}, Place`, 'there is no such place', 'Choose one from the list.');
    const { width, height } = readAll(size);
    const room = { x: roomBeside(page.width, width), y: roomBeside(page.height, height) };
    return {
        x: round(margin + room.x * preset.left),
        y: round(margin + room.y * preset.top),
        width,
        height,
    };
}
function roomBeside(whole, size) {
    return Math.max(0, whole - 2 * margin - size);
}
function readColor(value, field) {
    const color = textOf(value) || defaultColor;
    if (/^#[0-9a-f]{6}$/i.test(color))
        return color;
    throw new InputError(field, 'it is not a hex color', 'Enter a color such as #1f4fd8.');
}
function round(value) {
    return Math.round(value * 100) / 100;
}
