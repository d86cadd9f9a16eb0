import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { nameOf, type Template } from '../../api/templates';
import type { StaticSignPosition } from '../../api/types';
import { InputError, readAll, readEach } from '../inputError';
import { listOf, objectOf, textOf } from '../../util/values';
import { readEmail, readNumber } from '../parameters';
import type { ItemContext } from '../types';
import type { SignatoryInput } from './signatories';

/** Page and signature box in PDF points (1/72 inch): A4, and a box with room for a name. */
const page = { width: 595.28, height: 841.89 };
const boxWidth = 180;
const boxHeight = 60;
const margin = 50;
const defaultColor = '#1f4fd8';
const defaultPlace = 'bottomRight';

/** Places at the bottom of the page: the part of the free space that is left of the signature. */
const places = new Map(
	Object.entries({
		bottomLeft: { name: 'Bottom Left', left: 0 },
		bottomCenter: { name: 'Bottom Center', left: 0.5 },
		bottomRight: { name: 'Bottom Right', left: 1 },
	}),
);

/** A distance or size in PDF points. */
function pointsField(displayName: string, name: string, by: number, what: string): INodeProperties {
	const description = `${what}, in PDF points (1/72 inch)`;
	return { displayName, name, type: 'number', default: by, description };
}

/** In the order in which a person thinks of them: who, where, how it looks. */
const positionValues: INodeProperties[] = [
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
			...[...places].map(([value, { name }]) => ({ name, value })),
			{ name: 'Exact Coordinates', value: 'exact' },
		],
		default: defaultPlace,
		description: 'Where on the page',
	},
	...updateDisplayOptions({ show: { place: ['exact'] } }, [
		pointsField('Left', 'x', margin, 'Distance from the left edge of the page'),
		pointsField('Top', 'y', margin, 'Distance from the top edge of the page'),
	]),
	{
		displayName: 'Page',
		name: 'page',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: 'Number of the page; the first one is 1',
	},
	pointsField('Width', 'width', boxWidth, 'Width of the signature'),
	pointsField('Height', 'height', boxHeight, 'Height of the signature'),
	{
		displayName: 'Color',
		name: 'color',
		type: 'color',
		default: defaultColor,
		description: 'Color of the box in which the signatory signs',
	},
];

/** The option for where the signatures go. */
export const signPositionsOption: INodeProperties = {
	displayName: 'Signature Positions',
	name: 'signPositions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Position',
	default: {},
	description:
		'Where on the pages each signature goes, for a template without places to sign (version 1). Without any, the service decides.',
	builderHint: {
		propertyHint: 'For templates of version 1 only. The email is that of one of the signatories.',
	},
	options: [{ displayName: 'Position', name: 'position', values: positionValues }],
};

/**
 * Reads where the signatures go, each position complete (docs/dev/service.md#where-the-signatures-go). The
 * meaning of `pageY` and `pageYv2` is unknown. Both are sent as the distance from the top of the page,
 * like `coordinates.y`.
 * @param signatories Absent if they are wrong themselves.
 * @throws InputError for an e-mail address that is not a signatory's, for a number out of range, and for a
 * template of version 2.
 */
export function readSignPositions(
	item: ItemContext,
	template: Template,
	signatories: SignatoryInput[] | undefined,
): StaticSignPosition[] {
	const { name, displayName } = signPositionsOption;
	const list = listOf(objectOf(item.parameter(`options.${name}`)).position);
	if (list.length > 0 && template.templateVersion === 'v2') {
		throw new InputError(
			displayName,
			`the template "${nameOf(template)}" has its own places to sign`,
			'Remove this option. Only templates of version 1 can use it.',
		);
	}
	return readEach(list, (entry, index) => {
		const field = `Signature Position ${index + 1}`;
		const values = objectOf(entry);
		const read = readAll({
			email: () => readWhose(values.email, `${field}, Signatory Email`, signatories),
			place: () => readBox(values, field),
			page: () => readNumber(values.page ?? 1, `${field}, Page`, { min: 1, isWhole: true }),
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

function readWhose(
	value: unknown,
	field: string,
	signatories: SignatoryInput[] | undefined,
): string {
	const email = readEmail(value, field);
	if (!signatories) return email;
	const signatory = signatories.find((each) => each.email.toLowerCase() === email.toLowerCase());
	if (signatory) return signatory.email;
	throw new InputError(
		field,
		`"${email}" is not one of the signatories`,
		`Enter one of: ${signatories.map((each) => each.email).join(', ')}.`,
	);
}

function readBox(values: Record<string, unknown>, field: string) {
	const size = {
		width: () => readNumber(values.width ?? boxWidth, `${field}, Width`, { min: 1 }),
		height: () => readNumber(values.height ?? boxHeight, `${field}, Height`, { min: 1 }),
	};
	if (values.place === 'exact') {
		return readAll({
			x: () => readNumber(values.x, `${field}, Left`, { min: 0 }),
			y: () => readNumber(values.y, `${field}, Top`, { min: 0 }),
			...size,
		});
	}
	const place = places.get(textOf(values.place ?? defaultPlace));
	if (!place)
		throw new InputError(`${field}, Place`, 'there is no such place', 'Choose one from the list.');
	const { width, height } = readAll(size);
	const freeWidth = Math.max(0, page.width - 2 * margin - width);
	return {
		x: round(margin + freeWidth * place.left),
		y: round(Math.max(margin, page.height - margin - height)),
		width,
		height,
	};
}

function readColor(value: unknown, field: string): string {
	const color = textOf(value) || defaultColor;
	if (/^#[0-9a-f]{6}$/i.test(color)) return color;
	throw new InputError(field, 'it is not a hex color', 'Enter a color such as #1f4fd8.');
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}
