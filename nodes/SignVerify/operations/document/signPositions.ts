import type { INodeProperties } from 'n8n-workflow';

import { nameOf, type Template } from '../../api/templates';
import type { StaticSignPosition } from '../../api/types';
import { InputError, readAll, readEach } from '../inputError';
import { listOf, objectOf, textOf } from '../../util/values';
import { readEmail, readNumber } from '../parameters';
import type { ItemContext } from '../types';
import type { SignatoryInput } from './signatories';

/** An A4 page in PDF points (1/72 inch). */
const page = { width: 595.28, height: 841.89 };

const defaultColor = '#1f4fd8';

/** The color of the box in which the signatory signs. */
const colorField: INodeProperties = {
	displayName: 'Color',
	name: 'color',
	type: 'color',
	default: defaultColor,
	description: 'Color of the box in which the signatory signs',
};

/** A field for a number, in PDF points unless it says otherwise. */
function numberField(
	displayName: string,
	name: string,
	byDefault: number,
	description: string,
): INodeProperties {
	return { displayName, name, type: 'number', default: byDefault, description };
}

/** The numbers of a position; by default, it is at the bottom right, with room for a name. */
const numbers = {
	page: numberField('Page', 'page', 1, 'Number of the page; the first one is 1'),
	x: numberField(
		'Left',
		'x',
		365,
		'Distance from the left edge of the page, in PDF points (1/72 inch). An A4 page is 595 wide.',
	),
	y: numberField(
		'Top',
		'y',
		730,
		'Distance from the top edge of the page, in PDF points. An A4 page is 842 high.',
	),
	width: numberField('Width', 'width', 180, 'Width of the signature, in PDF points'),
	height: numberField('Height', 'height', 60, 'Height of the signature, in PDF points'),
};

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
					description: 'Whose signature it is; one of the signatories above',
				},
				...Object.values(numbers),
				colorField,
			],
		},
	],
};

/**
 * Reads where the signatures go, each position complete (docs/dev/service.md#where-the-signatures-go). The
 * meaning of `pageY` and `pageYv2` is unknown. Both are sent as the distance from the top of the page,
 * like `coordinates.y`.
 * @param signatories Absent if they are wrong themselves.
 * @throws InputError for an e-mail address that is not a signatory's, for a number out of range, for another
 * color, and for a template of version 2.
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
		const place = `Signature Position ${index + 1}`;
		const values = objectOf(entry);
		const read = (field: INodeProperties, min: number) => () =>
			readNumber(values[field.name] ?? field.default, `${place}, ${field.displayName}`, {
				min,
				isWhole: field === numbers.page,
			});
		const { email, pageNumber, x, y, width, height, color } = readAll({
			email: () => readWhose(values.email, `${place}, Signatory Email`, signatories),
			x: read(numbers.x, 0),
			y: read(numbers.y, 0),
			width: read(numbers.width, 1),
			height: read(numbers.height, 1),
			pageNumber: read(numbers.page, 1),
			color: () => readColor(values.color, `${place}, Color`),
		});
		return {
			user: { email },
			coordinates: { x, y },
			page: pageNumber,
			pageY: y,
			pageYv2: y,
			color,
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

function readColor(value: unknown, field: string): string {
	const color = textOf(value) || defaultColor;
	if (/^#[0-9a-f]{6}$/i.test(color)) return color;
	throw new InputError(field, 'it is not a hex color', 'Enter a color such as #1f4fd8.');
}
