import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { nameOf } from '../../api/templates';
import type { StaticSignPosition, Template } from '../../api/types';
import { fieldOf } from '../../input/field';
import { InputError, readAll, readEach } from '../../input/inputError';
import type { ItemContext } from '../../input/item';
import { readEmail, readNumber } from '../../input/parameters';
import { listOf, objectOf, textOf } from '../../util/values';

/** The size of an A4 page in PDF points (1/72 inch). */
const a4 = { width: 595.28, height: 841.89 };

/** A position's numeric fields. The default position is at the bottom right, with room for a name. */
const numbers = {
	page: { displayName: 'Page', default: 1, min: 1, description: 'The first page is 1' },
	x: {
		displayName: 'Left',
		default: 365,
		min: 0,
		description: 'Distance from the left edge of the page',
	},
	y: {
		displayName: 'Top',
		default: 730,
		min: 0,
		description: 'Distance from the top edge of the page',
	},
	width: { displayName: 'Width', default: 180, min: 1, description: 'Width of the signature' },
	height: { displayName: 'Height', default: 60, min: 1, description: 'Height of the signature' },
};

const defaultColor = '#1f4fd8';

export const signPositionsOption: INodeProperties = {
	displayName: 'Signature Positions',
	name: 'signPositions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add position',
	default: {},
	description:
		"Where each signature goes on the page. Only for older templates (version 1), which don't define where people sign. If you don't set positions, your provider chooses them. Distances and sizes are in PDF points (1/72 inch). An A4 page is 595 points wide and 842 points high.",
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
				...Object.entries(numbers).map(([name, { min, ...field }]): INodeProperties => ({
					...field,
					name,
					type: 'number',
					typeOptions: { minValue: min },
				})),
				{
					displayName: 'Color',
					name: 'color',
					type: 'color',
					default: defaultColor,
					description: 'Color of the signature box',
				},
			],
		},
	],
};

/**
 * Reads the signature positions, each with all the values that the service needs
 * (docs/dev/service.md#where-the-signatures-go). The service doesn't document `pageY` and `pageYv2`, so both
 * are set to the distance from the top of the page, the same as `coordinates.y`.
 * @param signatories The people who sign; undefined if the form's signatories are invalid.
 * @throws InputError if the option is added without a position, if the template is a version 2 template, or
 * if a position is for someone who doesn't sign, contains an expression typed as plain text, or has a number
 * out of range or an invalid hex color.
 */
export function readSignPositions(
	item: ItemContext,
	template: Template,
	signatories: Array<{ email: string }> = [],
): StaticSignPosition[] {
	const { name, label } = fieldOf(signPositionsOption, 'options');
	const list = listOf(objectOf(item.parameter(name)).position);
	// n8n returns an empty object for a value that its form cannot save, such as an expression in place of
	// the list.
	if (list.length === 0 && item.rawParameter(name) !== undefined) {
		throw new InputError(
			label,
			'add at least one position',
			"Add a position, or remove this option. You can use expressions in a position's fields, but not for the whole list.",
			'there-is-no-position',
		);
	}
	if (list.length > 0 && template.templateVersion === 'v2') {
		throw new InputError(
			label,
			`the template "${nameOf(template)}" already defines where people sign`,
			'Remove this option, which only works with version 1 templates.',
			'the-template-has-its-own-places-to-sign',
		);
	}
	return readEach(list, (entry, index) =>
		readPosition(
			item,
			{ values: objectOf(entry), place: `Signature Position ${index + 1}` },
			signatories.map(({ email }) => email),
		),
	);
}

/** A position as entered in the form, and its name in errors. */
interface EnteredPosition {
	values: IDataObject;
	place: string;
}

/** @param emails The addresses of the people who sign; empty if they are unknown. */
function readPosition(
	item: ItemContext,
	position: EnteredPosition,
	emails: string[],
): StaticSignPosition {
	const { email, x, y, width, height, page, color } = readAll({
		email: () => readSigner(item, position, emails),
		x: () => readNumberOf(position, 'x'),
		y: () => readNumberOf(position, 'y'),
		width: () => readNumberOf(position, 'width'),
		height: () => readNumberOf(position, 'height'),
		page: () => readNumberOf(position, 'page'),
		color: () => readColor(position),
	});
	return {
		user: { email },
		coordinates: { x, y },
		page,
		pageY: y,
		pageYv2: y,
		color,
		imageSize: { width, height },
		parentImageSize: { ...a4 },
		viewport: { ...a4 },
	};
}

/**
 * Reads the email address of the person who signs here and returns it spelled as in the list of signatories.
 */
function readSigner(
	item: ItemContext,
	{ values, place }: EnteredPosition,
	emails: string[],
): string {
	const label = `${place}, Signatory Email`;
	item.checkTyped(values.email, label);
	const email = readEmail(values.email, label);
	if (emails.length === 0) return email;
	const ownSpelling = emails.find((address) => address.toLowerCase() === email.toLowerCase());
	if (ownSpelling !== undefined) return ownSpelling;
	throw new InputError(
		label,
		`"${email}" isn't one of the signatories`,
		`Enter one of these addresses: ${emails.join(', ')}.`,
		'is-not-one-of-the-signatories',
	);
}

function readNumberOf({ values, place }: EnteredPosition, name: keyof typeof numbers): number {
	const { displayName, default: defaultValue, min } = numbers[name];
	// If an expression returns nothing, let readNumber() throw. The default would put the signature in the
	// wrong place.
	const value = name in values ? values[name] : defaultValue;
	return readNumber(value, `${place}, ${displayName}`, { min, isWhole: name === 'page' });
}

function readColor({ values, place }: EnteredPosition): string {
	// Use the default color for an empty string, which is the value of a cleared field. An expression that
	// returns nothing is an error.
	const enteredColor = 'color' in values ? values.color : '';
	const color = enteredColor === '' ? defaultColor : textOf(enteredColor);
	if (/^#[0-9a-f]{6}$/i.test(color)) return color;
	throw new InputError(
		`${place}, Color`,
		'not a hex color',
		'Enter a color such as #1f4fd8.',
		'it-is-not-a-hex-color',
	);
}
