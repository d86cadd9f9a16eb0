import type { IDataObject } from 'n8n-workflow';

import { action, loadContext, runAction } from '../support/contexts';
import { ada, byId, creationsAt, mapped, useService, v1Setup, v2 } from '../support/service';

const service = useService();
const bob = { email: 'bob@example.com', name: 'Bob Builder' };

/** A template of the sandbox with two places to sign, and its required fields filled in. */
function twoPlaces() {
	const template = service.sandbox.templates().find(({ slots }) => slots.length === 2);
	if (!template) throw new Error('The sandbox has no template with two places to sign.');
	const [first, second] = template.slots.map(({ key }) => key) as [string, string];
	const inputs = Object.fromEntries(template.fields.map(({ key }) => [key, 'a value']));
	const templateId = byId(template.templateID);
	const rest = { ...v2, signatoriesFrom: 'role', signatories: undefined };
	return { first, second, parameters: { ...rest, templateId, fields: mapped(inputs) }, template };
}

const people = (value: IDataObject) => ({ mappingMode: 'defineBelow', value });

async function send(parameters: IDataObject) {
	return await runAction(service.credential(), { parameters });
}

describe('a template without roles (version 1)', () => {
	const byRole = () => ({ ...v1Setup(service).parameters, signatoriesFrom: 'role' });

	test('offers five people, of whom the first is required', async () => {
		const load = action.methods.resourceMapping.getSignatoryRoles;
		const { fields } = await load.call(loadContext(service.credential(), byRole()));
		expect(fields.map(({ displayName }) => displayName)).toEqual(
			[1, 2, 3, 4, 5].flatMap((n) => [`Signatory ${n}: Name`, `Signatory ${n}: Email`]),
		);
		const needed = fields.filter(({ required }) => required);
		expect(needed.map(({ id }) => id)).toEqual(['1.name', '1.email']);
	});

	test('needs somebody, and has no gap', async () => {
		const sendTo = async (value: IDataObject) =>
			await send({ ...byRole(), signatoryRoles: people(value) });
		await expect(sendTo({})).rejects.toThrow(/Signatory 1, Email: it is empty/);
		await expect(
			sendTo({
				...{ '1.name': ada.name, '1.email': ada.email },
				...{ '3.name': bob.name, '3.email': bob.email },
			}),
		).rejects.toThrow(/Signatory 2, Email: it is empty/);
		expect(creationsAt(service)).toHaveLength(0);
	});
});

test('the form asks for name and e-mail of each place to sign, and n8n lets the last roles be empty', async () => {
	const { first, second, parameters } = twoPlaces();
	const load = async (more: IDataObject = {}) =>
		await action.methods.resourceMapping.getSignatoryRoles.call(
			loadContext(service.credential(), { ...parameters, ...more }),
		);
	const { fields } = await load();
	expect(fields.map(({ id, required }) => [id, required])).toEqual(
		[first, second].flatMap((key) => [
			[`${key}.name`, key === first],
			[`${key}.email`, key === first],
		]),
	);
	expect(fields[0]?.displayName).toMatch(/^[A-Z].*: Name$/);
	// n8n's editor keeps the form that it has loaded when the switch is turned.
	expect(await load({ leaveLastRolesEmpty: true })).toEqual({ fields });
	// The form for the fields says that the template is missing, and once is enough.
	expect(await load({ templateId: byId('nothing') })).toEqual({ fields: [] });
});

test('the people are sent in the order of the template', async () => {
	const { first, second, parameters } = twoPlaces();
	await send({
		...parameters,
		signatoryRoles: people({
			[`${second}.email`]: bob.email,
			[`${second}.name`]: bob.name,
			[`${first}.name`]: ada.name,
			[`${first}.email`]: ada.email,
		}),
	});
	expect(creationsAt(service).map(({ body }) => body)).toEqual([
		expect.objectContaining({ signatories: [ada, bob] }),
	]);
});

test.each([
	['nobody', {}, /First party, Email: it is empty/],
	['a role without an e-mail', { name: 'Ada' }, /First party, Email: it is empty/],
	['a role without a name', { email: ada.email }, /First party, Name: it is empty/],
])('%s: nothing is sent', async (_name, person, message) => {
	const { first, parameters } = twoPlaces();
	const value = Object.fromEntries(
		Object.entries(person).map(([key, of]) => [`${first}.${key}`, of]),
	);
	await expect(send({ ...parameters, signatoryRoles: people(value) })).rejects.toThrow(message);
	expect(creationsAt(service)).toHaveLength(0);
});

test('a role that the template no longer has is refused', async () => {
	const { parameters } = twoPlaces();
	const value = { 'witness.email': ada.email, 'witness.name': ada.name };
	await expect(send({ ...parameters, signatoryRoles: people(value) })).rejects.toThrow(
		/has no "witness.email", "witness.name"$/,
	);
});

describe('another number of people than places to sign', () => {
	const one = { signatoriesFrom: 'form', signatories: { signatory: [ada] } };

	test('is refused with the roles named, before anything is sent', async () => {
		const { parameters, template } = twoPlaces();
		const sending = send({ ...parameters, ...one });
		await expect(sending).rejects.toThrow(
			`Signatories: the template "${template.name}" is signed by `,
		);
		await expect(sending).rejects.toThrow(/, but one person is named$/);
		expect(creationsAt(service)).toHaveLength(0);
	});

	test('is sent if the form allows it, without the roles that are empty', async () => {
		const { first, parameters } = twoPlaces();
		const value = { [`${first}.name`]: ada.name, [`${first}.email`]: ada.email };
		await send({ ...parameters, leaveLastRolesEmpty: true, signatoryRoles: people(value) });
		expect(creationsAt(service).map(({ body }) => body)).toEqual([
			expect.objectContaining({ signatories: [ada] }),
		]);
	});

	test.each([
		['one by one', one],
		['by an expression', { signatoriesFrom: 'expression', signatoriesList: JSON.stringify([ada]) }],
	])('can be fewer %s, and never more', async (_how, fewer) => {
		const { parameters } = twoPlaces();
		const free = { ...parameters, leaveLastRolesEmpty: true };
		await send({ ...free, ...fewer });
		expect(creationsAt(service)[0]?.body).toMatchObject({ signatories: [ada] });
		const third = { email: 'eve@example.com', name: 'Eve Third' };
		const more = { signatoriesFrom: 'expression', signatoriesList: [ada, bob, third] };
		await expect(send({ ...free, ...more })).rejects.toThrow(/, but 3 people are named$/);
	});
});

test('a gap before a person is refused: the service would take the person for the first role', async () => {
	const { second, parameters } = twoPlaces();
	const value = { [`${second}.name`]: ada.name, [`${second}.email`]: ada.email };
	const free = { ...parameters, leaveLastRolesEmpty: true };
	await expect(send({ ...free, signatoryRoles: people(value) })).rejects.toThrow(
		/Email: it is empty .*Name: it is empty/,
	);
	expect(creationsAt(service)).toHaveLength(0);
});
