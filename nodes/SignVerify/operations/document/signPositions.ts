import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { nameOf } from '../../api/templates';
import type { PageSize, StaticSignPosition, Template } from '../../api/types';
import { readItemText } from '../../columns/itemText';
import { fieldOf } from '../../form/field';
import { textRules } from '../../form/texts';
import { readChoice, readNumber, readText } from '../../form/valueReaders';
import type { ItemContext } from '../../item/item';
import { InputError, readAll, readEach } from '../../errors/inputError';
import { comparedEmail } from '../../util/comparedEmail';
import { listOf, objectOf } from '../../util/values';
import { positionProblems } from '../sendingProblems';

/**
 * The page sizes to choose from, in PDF points (1/72 inch). Letter is the default, because it is what all four
 * countries use that were seen in the field (docs/dev/service.md#seen-documents).
 */
const pageSizes = [
	{ name: 'Letter', value: 'letter', size: { width: 612, height: 792 } },
	{ name: 'Legal', value: 'legal', size: { width: 612, height: 1008 } },
	{ name: 'A4', value: 'a4', size: { width: 595.28, height: 841.89 } },
] as const;

const customSize = { name: 'Custom', value: 'custom' } as const;

const pageSizeField: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'options',
	options: [
		...pageSizes.map(({ name, value, size }) => ({
			name,
			value,
			description: `${size.width} × ${size.height} points`,
		})),
		customSize,
	],
	default: 'letter',
	description: "The size of the template's pages",
};

const ifCustom = { displayOptions: { show: { [pageSizeField.name]: [customSize.value] } } };

/**
 * A position's numeric fields, in the order of the form. The default position is at the bottom right of each
 * page size, with room for a name.
 */
const numbers = {
	page: { displayName: 'Page', default: 1, min: 1, description: 'The first page is 1' },
	pageWidth: {
		displayName: 'Page Width',
		default: 612,
		min: 72,
		description: 'In points',
		...ifCustom,
	},
	pageHeight: {
		displayName: 'Page Height',
		default: 792,
		min: 72,
		description: 'In points',
		...ifCustom,
	},
	x: {
		displayName: 'Left',
		default: 365,
		min: 0,
		description: 'Distance from the left edge of the page, in points',
	},
	y: {
		displayName: 'Top',
		default: 680,
		min: 0,
		description: 'Distance from the top edge of the page, in points',
	},
	width: {
		displayName: 'Width',
		default: 180,
		min: 1,
		description: 'Width of the signature, in points',
	},
	height: {
		displayName: 'Height',
		default: 60,
		min: 1,
		description: 'Height of the signature, in points',
	},
};

/**
 * What the color changes depends on the service. Users can set it anyway, because a form without it would
 * leave out a part of the API (docs/dev/decisions.md#every-value-of-a-call-can-be-set).
 */
const colorField = {
	displayName: 'Color',
	name: 'color',
	type: 'color',
	default: '#1f4fd8',
	description: 'What this color changes depends on your provider',
} as const satisfies INodeProperties;

function numberField(name: keyof typeof numbers): INodeProperties {
	const { min, ...field } = numbers[name];
	return { ...field, name, type: 'number', typeOptions: { minValue: min } };
}

export const signPositionsOption: INodeProperties = {
	displayName: 'Signature Positions',
	name: 'signPositions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add position',
	default: {},
	description:
		'Where each signature goes. Only for version 1 templates. A point is 1/72 inch, or 0.35 mm.',
	options: [
		{
			displayName: 'Position',
			name: 'position',
			values: [
				{
					displayName: 'Signatory Email',
					name: 'email',
					type: 'string',
					default: '',
					placeholder: 'e.g. name@email.com',
					description:
						'Email address of the person who signs here. It must belong to one of the signatories above.',
				},
				numberField('page'),
				pageSizeField,
				...(['pageWidth', 'pageHeight', 'x', 'y', 'width', 'height'] as const).map(numberField),
				colorField,
			],
		},
	],
};

/**
 * Reads the signature positions, each with all the values that the service needs
 * (docs/dev/service.md#where-the-signatures-go). The service doesn't document `pageY` and `pageYv2`, so both
 * are set to the distance from the top of the page, the same as `coordinates.y`.
 * @param signatories The people who sign; undefined if the form's signatories are invalid.
 */
export function readSignPositions(
	item: ItemContext,
	template: Template,
	signatories: Array<{ email: string }> = [],
): StaticSignPosition[] {
	const { name, label } = fieldOf(signPositionsOption, 'options');
	const list = listOf(objectOf(item.parameter(name)).position);
	// A user who adds this option means to place a signature.
	if (list.length === 0 && item.rawParameter(name) !== undefined) {
		throw new InputError(label, positionProblems.none);
	}
	if (list.length > 0 && template.templateVersion === 'v2') {
		throw new InputError(label, positionProblems.definedByTemplate(nameOf(template)));
	}
	const savedList = listOf(objectOf(item.rawParameter(name)).position);
	return readEach(list, (entry, index) =>
		readPosition(
			item,
			{
				values: objectOf(entry),
				saved: objectOf(savedList[index]),
				place: `Signature Position ${index + 1}`,
			},
			signatories.map(({ email }) => email),
		),
	);
}

/** A position as entered in the form, and its name in errors. */
interface EnteredPosition {
	values: IDataObject;
	/** The values as saved in the workflow, which may be expressions. */
	saved: IDataObject;
	place: string;
}

/** @param emails The addresses of the people who sign; empty if they are unknown. */
function readPosition(
	item: ItemContext,
	position: EnteredPosition,
	emails: string[],
): StaticSignPosition {
	const { email, page, pageSize, color, ...box } = readAll({
		email: () => readSigner(item, position, emails),
		page: () => readNumberOf(position, 'page'),
		pageSize: () => readPageSize(position),
		x: () => readNumberOf(position, 'x'),
		y: () => readNumberOf(position, 'y'),
		width: () => readNumberOf(position, 'width'),
		height: () => readNumberOf(position, 'height'),
		color: () => readColor(item, position),
	});
	checkOnPage(position, box, pageSize);
	const { x, y, width, height } = box;
	return {
		user: { email },
		coordinates: { x, y },
		page,
		pageY: y,
		pageYv2: y,
		color,
		imageSize: { width, height },
		parentImageSize: { ...pageSize },
		viewport: { ...pageSize },
	};
}

function readPageSize(position: EnteredPosition): PageSize {
	const { values, place } = position;
	const value = pageSizeField.name in values ? values[pageSizeField.name] : pageSizeField.default;
	const label = `${place}, ${pageSizeField.displayName}`;
	const choice = readChoice(value, label, [...pageSizes, customSize]);
	if (choice.value !== 'custom') return choice.size;
	return readAll({
		width: () => readNumberOf(position, 'pageWidth'),
		height: () => readNumberOf(position, 'pageHeight'),
	});
}

function checkOnPage(
	{ place }: EnteredPosition,
	{ x, y, width, height }: Record<'x' | 'y' | 'width' | 'height', number>,
	pageSize: PageSize,
): void {
	const edges = [
		{ label: 'Left', end: x + width, pageLength: pageSize.width, extent: 'wide' },
		{ label: 'Top', end: y + height, pageLength: pageSize.height, extent: 'high' },
	];
	readEach(edges, ({ label, pageLength, extent, ...edge }) => {
		// Rounded, because a sum of fractions can be a tiny bit too large.
		const end = Math.round(edge.end * 100) / 100;
		if (end <= pageLength) return;
		throw new InputError(
			`${place}, ${label}`,
			positionProblems.outsidePage(end, `${pageLength} points ${extent}`),
		);
	});
}

/** @returns The address spelled as in the list of signatories. */
function readSigner(
	item: ItemContext,
	{ values, saved, place }: EnteredPosition,
	emails: string[],
): string {
	const label = `${place}, Signatory Email`;
	const entered = { label, value: values.email, saved: saved.email };
	const email = readItemText(item, entered, textRules.knownEmail());
	if (emails.length === 0) return email;
	const ownSpelling = emails.find((address) => comparedEmail(address) === comparedEmail(email));
	if (ownSpelling !== undefined) return ownSpelling;
	throw new InputError(label, positionProblems.noSignatory(email, emails));
}

function readNumberOf({ values, place }: EnteredPosition, name: keyof typeof numbers): number {
	const { displayName, default: defaultValue, min } = numbers[name];
	// If an expression returns nothing, let readNumber() throw. The default would put the signature in the
	// wrong place.
	const value = name in values ? values[name] : defaultValue;
	return readNumber(value, `${place}, ${displayName}`, { min, isWhole: name === 'page' });
}

/**
 * A hex color. The API's description doesn't specify how it's written, so the "#" can be missing, but only
 * before six digits, because fewer are more likely a number.
 */
const hexColor = /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[\da-f]{6})$/i;

/** Adds a missing "#", which n8n's color field and CSS have as well. */
function readColor(item: ItemContext, { values, saved, place }: EnteredPosition): string {
	const label = `${place}, ${colorField.displayName}`;
	// n8n's field for a color saves null if a user clears it.
	const isSet = colorField.name in values && saved[colorField.name] !== null;
	const value = isSet ? values[colorField.name] : colorField.default;
	item.checkTyped(value, label);
	const remedy = `Enter a color such as ${colorField.default}, or select one.`;
	const color = readText(value, label, remedy);
	if (hexColor.test(color)) return color.startsWith('#') ? color : `#${color}`;
	throw new InputError(label, { ...positionProblems.noColor(color), remedy });
}
