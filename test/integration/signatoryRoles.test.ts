import type { IDataObject } from 'n8n-workflow';

import { action, loadContext, runAction } from '../support/contexts';
import {
	ada,
	byId,
	contract,
	creationsAt,
	failureOf,
	mapped,
	useService,
	v1Setup,
	v2,
} from '../support/service';

const service = useService();
const bob = { email: 'bob@example.com', name: 'Bob Builder' };

/** A template of the sandbox with two places to sign, and its required fields filled in. */
function twoPlaces() {
	const template = service.sandbox.templates().find((each) => each.slots.length === 2);
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

test('a template without roles (version 1) says what to choose, in the form and in a run', async () => {
	const { parameters } = v1Setup(service);
	const byRole = { ...parameters, signatoriesFrom: 'role' };
	const load = action.methods.resourceMapping.getSignatoryRoles;
	expect(await load.call(loadContext(service.credential(), byRole))).toEqual({
		fields: [],
		emptyFieldsNotice: 'This template names no roles. Set Specify Signatories to "One by One".',
	});
	const { message, description } = await failureOf(send(byRole));
	expect(message).toMatch(/^Signatories: the template ".+" names no roles$/);
	expect(description).toContain('Set Specify Signatories to "One by One".');
	expect(creationsAt(service)).toHaveLength(0);
});

test('the form asks for name and e-mail of each place to sign', async () => {
	const { first, second, parameters } = twoPlaces();
	const load = async (more: IDataObject = {}) =>
		await action.methods.resourceMapping.getSignatoryRoles.call(
			loadContext(service.credential(), { ...parameters, ...more }),
		);
	const { fields } = await load();
	expect(fields.map(({ id, required }) => [id, required])).toEqual(
		[first, second].flatMap((key) => [
			[`${key}.name`, true],
			[`${key}.email`, true],
		]),
	);
	expect(fields[0]?.displayName).toMatch(/^[A-Z].*: Name$/);
	const free = await load({ allowOtherCount: true });
	expect(free.fields.some(({ required }) => required)).toBe(false);
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

test('one e-mail in two roles is refused, with the role named', async () => {
	const { first, second, parameters } = twoPlaces();
	const value = Object.fromEntries(
		[first, second].flatMap((key) => [
			[`${key}.name`, ada.name],
			[`${key}.email`, ada.email],
		]),
	);
	await expect(send({ ...parameters, signatoryRoles: people(value) })).rejects.toThrow(
		/is the e-mail of .+, too$/,
	);
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
		await send({ ...parameters, allowOtherCount: true, signatoryRoles: people(value) });
		expect(creationsAt(service).map(({ body }) => body)).toEqual([
			expect.objectContaining({ signatories: [ada] }),
		]);
	});
});

test('a gap before a person is refused: the service would take the person for the first role', async () => {
	const { second, parameters } = twoPlaces();
	const value = { [`${second}.name`]: ada.name, [`${second}.email`]: ada.email };
	const free = { ...parameters, allowOtherCount: true };
	await expect(send({ ...free, signatoryRoles: people(value) })).rejects.toThrow(
		/Email: it is empty .*Name: it is empty/,
	);
	expect(creationsAt(service)).toHaveLength(0);
});

test('somebody has to sign, also if the form allows another number', async () => {
	const { parameters } = twoPlaces();
	const free = { ...parameters, allowOtherCount: true };
	await expect(send({ ...free, signatoryRoles: people({}) })).rejects.toThrow(
		'Signatories: there is none',
	);
	expect(creationsAt(service)).toHaveLength(0);
});

describe('the country', () => {
	const own = { ...v2, templateId: byId(contract) };

	test.each([
		['list', 'Côte d’Ivoire'],
		['list', 'Turkey, as an older Node writes it'],
		['name', ' México '],
		['text', ' Absurdistan '],
	])('from %s', async (mode, value) => {
		await send({ ...own, country: { __rl: true, mode, value } });
		expect(creationsAt(service)[0]?.body).toMatchObject({ country: value.trim() });
	});
});
