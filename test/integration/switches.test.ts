import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { operations } from '../../nodes/SignVerify/operations';
import type { Operation } from '../../nodes/SignVerify/operations/types';
import { type ItemContext, readSwitch } from '../../nodes/SignVerify/input/item';
import { runAction } from '../support/contexts';
import { ada, failureOf, mapped, useService, v2 } from '../support/service';

const service = useService();

/** The switches of a form, by their paths. */
function switchesOf(fields: INodeProperties[], path = ''): Array<[path: string, name: string]> {
	return fields.flatMap(({ type, name, displayName, options = [] }) => {
		if (type === 'boolean') return [[`${path}${name}`, displayName] as [string, string]];
		if (type !== 'collection') return [];
		return switchesOf(options as INodeProperties[], `${path}${name}.`);
	});
}

/** Each switch of each operation once, though a form may have it for each of its variants. */
const switches = operations.flatMap((operation) =>
	[...new Map(switchesOf(operation.fields))].map(
		([path, name]) => [`${operation.resource} ${operation.value}`, name, path] as const,
	),
);

const right: Partial<Record<Operation['resource'], IDataObject>> = {
	document: {
		...v2,
		signatoriesFrom: 'role',
		signatoryRoles: mapped({ 'employee.name': ada.name, 'employee.email': ada.email }),
	},
	identity: {
		verification: 'new',
		email: 'ada@example.com',
		sessionId: '65f1c0de0000000000000201',
	},
};

/** A form with a value at a path. */
function formWith(operation: string, path: string, value: unknown): IDataObject {
	const [resource = '', name = ''] = operation.split(' ');
	const [first = '', inner] = path.split('.');
	return {
		...right[resource as Operation['resource']],
		resource,
		operation: name,
		[first]: inner ? { [inner]: value } : value,
	} as IDataObject;
}

describe.each(switches)('%s, %s', (operation, name, path) => {
	test('is not "maybe"', async () => {
		const parameters = formWith(operation, path, 'maybe');
		const error = await failureOf(runAction(service.credential(), { parameters }));
		expect(error.message).toBe(`${name}: it is neither on nor off`);
	});

	test('is not off because its expression gives nothing', async () => {
		const parameters = formWith(operation, path, '={{ $json.wanted }}');
		const perItem = [formWith(operation, path, null)];
		const error = await failureOf(runAction(service.credential(), { parameters, perItem }));
		expect(error.message).toBe(`${name}: it is neither on nor off`);
	});
});

/** An item whose form has these values, saved as such or as expressions. */
const itemWith = (values: Record<string, unknown>, form: IDataObject = {}) =>
	({
		parameter: (name: string) => values[name],
		rawParameter: (name: string) => form[name],
	}) as unknown as ItemContext;

test.each([
	[true, true],
	[false, false],
	['true', true],
	['false', false],
	[' True ', true],
])('a switch that is %j is %j', (wanted, read) => {
	expect(readSwitch(itemWith({ wanted }), 'wanted', 'Wanted')).toBe(read);
});
