import { runAction } from '../support/contexts';
import {
	ada,
	byId,
	creationsAt,
	failureOf,
	fields,
	mapped,
	useService,
	v1Setup,
	v2,
} from '../support/service';

const service = useService();

const creations = () => creationsAt(service);

describe('input that is wrong', () => {
	const signatory = (...list: unknown[]) => ({ signatories: { signatory: list } });
	const noPeople = 'Signatories: the expression does not give a list of people';
	const list = (signatoriesList: unknown) => ({ signatoriesFrom: 'expression', signatoriesList });

	test.each<[string, Record<string, unknown>, string | RegExp]>([
		['no template', { templateId: byId('') }, 'Template: none is chosen'],
		[
			'an unknown template',
			{ templateId: byId('65f1c0de0000000000000999') },
			/^Template: the account has no template with the ID/,
		],
		[
			'positions for a template with its own places to sign',
			{ options: { signPositions: { position: [{ email: ada.email }] } } },
			'Signature Positions: the template "Employment contract" has its own places to sign',
		],
		[
			'a required field without a value',
			{ fields: mapped({ ...fields, role: '' }) },
			'Fields: Job title: the template requires a value, and there is none',
		],
		[
			'a required field with nothing that can be seen',
			{ fields: mapped({ ...fields, role: ' \u200B\n' }) },
			'Fields: Job title: the template requires a value, and there is none',
		],
		[
			'an unknown field',
			{ fields: mapped({ ...fields, salary: '1' }) },
			'Fields: the template "Employment contract" has no "salary"',
		],
		[
			'a list as a value',
			{ fields: mapped({ ...fields, role: ['a'] }) },
			'Fields: Job title: the value must be a text',
		],
		[
			'an expression that was typed as a value',
			{ fields: mapped({ ...fields, role: 'The {{ $json.role }}' }) },
			'Fields: Job title: an expression was typed as a text',
		],
		[
			'an expression that was typed as a name',
			signatory({ ...ada, name: "{{ $json['Full name'] }}" }),
			'Signatory 1, Name: an expression was typed as a text',
		],
		[
			'expressions that were typed into a list of people',
			list('[{ "name": "{{ $json.name }}", "email": "ada@example.com" }]'),
			'Signatories: an expression was typed as a text',
		],
		[
			'an expression that was typed as a key, which would be that of all items',
			{ options: { sendOnceKey: '{{ $json.contract }}' } },
			'Send Once Key: an expression was typed as a text',
		],
		[
			'a number beyond 2^53 as a value',
			{ fields: mapped({ ...fields, role: 2 ** 53 }) },
			'Fields: Job title: the number has too many digits to be exact',
		],
		[
			'a number beyond 2^53 as the template',
			{ templateId: { ...byId(''), value: 12345678901234567890 } },
			'Template: the number has too many digits to be exact',
		],
		[
			'a number beyond 2^53 as a name',
			signatory({ ...ada, name: -1e21 }),
			'Signatory 1, Name: the number has too many digits to be exact',
		],
		['no signatory', { signatories: {} }, 'Signatories: there is none'],
		['an empty e-mail', signatory({ ...ada, email: ' ' }), 'Signatory 1, Email: it is empty'],
		[
			'no e-mail address',
			signatory({ ...ada, email: 'ada' }),
			'Signatory 1, Email: "ada" is not an e-mail address',
		],
		[
			'an e-mail address with two dots in its domain',
			signatory({ ...ada, email: 'a@b..com' }),
			'Signatory 1, Email: "a@b..com" is not an e-mail address',
		],
		[
			'a list for an e-mail',
			signatory({ ...ada, email: [ada.email] }),
			'Signatory 1, Email: it is not a text',
		],
		[
			'an e-mail with a name',
			signatory({ ...ada, email: 'Ada <ada@example.com>' }),
			/is not an e-mail address/,
		],
		...[
			'ada@example.com%0d%0abcc@example.com',
			'ada@exam\u200Bple.com',
			'a\u0000da@example.com',
		].map((email): [string, Record<string, unknown>, string] => [
			`the e-mail ${JSON.stringify(email)}`,
			signatory({ ...ada, email }),
			'Signatory 1, Email: it has an invisible character inside',
		]),
		[
			'an e-mail twice',
			signatory(ada, { ...ada, email: 'ADA@Example.com' }),
			'Signatory 2, Email: "ADA@Example.com" is the e-mail of Signatory 1, too',
		],
		['an empty name', signatory({ ...ada, name: '' }), 'Signatory 1, Name: it is empty'],
		[
			'an object for a name',
			signatory({ ...ada, name: {} }),
			'Signatory 1, Name: it is not a text',
		],
		['an expression that gives nothing', list(''), noPeople],
		['an expression that gives an object', list(ada), noPeople],
		['a list of texts', list(['ada@example.com']), noPeople],
		['a list with null', list([ada, null]), noPeople],
		['an empty country', { country: '' }, 'Country: none is chosen'],
		[
			'a country that does not exist',
			{ country: { __rl: true, mode: 'name', value: 'Germny' } },
			'Country: there is no country "Germny"',
		],
		[
			'a country that an expression gives',
			{ country: { __rl: true, mode: 'list', value: '={{ "Germny" }}' } },
			'Country: there is no country "Germny"',
		],
		['a country that is no text', { country: 5 }, 'Country: none is chosen'],
	])('%s', async (_name, wrong, message) => {
		const documents = service.sandbox.documents().length;
		const error = await failureOf(
			runAction(service.credential(), { parameters: { ...v2, ...wrong } }),
		);
		expect(error.message).toMatch(message);
		expect(error.description).toBeTruthy();
		expect(service.sandbox.documents()).toHaveLength(documents);
		expect(creations()).toHaveLength(0);
	});

	test.each<[string, Record<string, unknown>, string | RegExp]>([
		[
			'a position for a stranger',
			{ email: 'eve@example.com' },
			'Signature Position 1, Signatory Email: "eve@example.com" is not one of the signatories',
		],
		['a position for nobody', { email: '' }, 'Signature Position 1, Signatory Email: it is empty'],
		[
			'page 0',
			{ email: ada.email, page: 0 },
			'Signature Position 1, Page: it must be a whole number of at least 1',
		],
		[
			'coordinates left empty',
			{ email: ada.email, x: '', y: 1 },
			'Signature Position 1, Left: it must be a number of at least 0',
		],
		[
			'a color by name',
			{ email: ada.email, color: 'red' },
			'Signature Position 1, Color: it is not a hex color',
		],
	])('version 1: %s', async (_name, position, message) => {
		const options = { signPositions: { position: [position] } };
		const parameters = { ...v1Setup(service).parameters, options };
		const error = await failureOf(runAction(service.credential(), { parameters: parameters }));
		expect(error.message).toMatch(message);
		expect(creations()).toHaveLength(0);
	});

	test('what nobody sees around an e-mail and a name is not sent', async () => {
		const email = '\u200B\u{E0001} ada@example.com%0D%0A\u202E\n';
		const parameters = { ...v2, ...signatory({ email, name: '\uFEFFAda Lovelace\u0000' }) };
		await runAction(service.credential(), { parameters });
		expect(creations()[0]?.body).toMatchObject({
			signatories: [{ email: 'ada@example.com', name: 'Ada Lovelace' }],
		});
	});

	test('all that is wrong is told at once', async () => {
		const wrong = {
			...v2,
			...signatory(ada, { name: 'Bob' }, { email: 'eve', name: '' }),
			country: ' ',
			fields: mapped({ ...fields, role: '', salary: '1' }),
		};
		const error = await failureOf(runAction(service.credential(), { parameters: wrong }));
		expect(error.message).toBe(
			'6 fields are missing or wrong: ' +
				'(1) Signatory 2, Email: it is empty ' +
				'(2) Signatory 3, Email: "eve" is not an e-mail address ' +
				'(3) Signatory 3, Name: it is empty ' +
				'(4) Country: none is chosen ' +
				'(5) Fields: the template "Employment contract" has no "salary" ' +
				'(6) Fields: Job title: the template requires a value, and there is none',
		);
		expect(error.description).toMatch(
			/^\(1\) Enter an e-mail address\. \(2\) Enter one address, .* <a href=/,
		);
		expect(creations()).toHaveLength(0);
	});

	test('version 1: so are the positions, whoever is wrong among the signatories', async () => {
		const position = { email: 'eve@example.com', x: -1, y: 'top' };
		const parameters = {
			...v1Setup(service).parameters,
			...signatory({ ...ada, name: '' }),
			options: { signPositions: { position: [position, { email: '' }] } },
		};
		const error = await failureOf(runAction(service.credential(), { parameters }));
		expect(error.message).toMatch(
			/^4 fields .*\(2\) Signature Position 1, Left: .*\(3\) Signature Position 1, Top: .*\(4\) Signature Position 2, Signatory Email: it is empty$/,
		);
	});
});
