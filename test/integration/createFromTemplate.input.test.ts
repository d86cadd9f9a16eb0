import { runAction } from '../support/contexts';
import { ada, creationsAt, fields, v1Setup, v2 } from '../support/contract';
import { byId, failureOf, mapped, useService } from '../support/service';

const service = useService();

const creations = () => creationsAt(service);

describe('input that is wrong', () => {
	const signatory = (...list: unknown[]) => ({ signatories: { signatory: list } });
	const list = (signatoriesList: unknown) => ({ signatoriesFrom: 'expression', signatoriesList });

	test.each<[string, Record<string, unknown>, string | RegExp]>([
		['no template', { templateId: byId('') }, 'Template: none is chosen'],
		[
			'an unknown template',
			{ templateId: byId('65f1c0de0000000000000999') },
			/^Template: the account has no v2 template with the ID/,
		],
		['an unknown version', { templateVersion: 'v3' }, 'Template Version: there is no such version'],
		[
			'a required field without a value',
			{ fields: mapped({ ...fields, role: '' }) },
			'Fields: Job title: the template requires a value, and there is none',
		],
		[
			'a required field that an expression left null',
			{ fields: mapped({ ...fields, role: null }) },
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
			'Fields: Job title: the value must be a text, but is a list',
		],
		[
			'an object as a value',
			{ fields: mapped({ ...fields, role: { a: 1 } }) },
			'Fields: Job title: the value must be a text, but is an object',
		],
		[
			'NaN as a value',
			{ fields: mapped({ ...fields, role: NaN }) },
			'Fields: Job title: the value must be a text, but is not a number',
		],
		['fields of null', { fields: mapped(null as never) }, /the template requires a value/],
		['no signatory', { signatories: {} }, 'Signatories: there is none'],
		['an empty list', signatory(), 'Signatories: there is none'],
		[
			'an empty e-mail',
			signatory({ ...ada, email: ' ' }),
			'Signatories: Email of signatory 1: it is empty',
		],
		[
			'an e-mail of null',
			signatory({ ...ada, email: null }),
			'Signatories: Email of signatory 1: it is empty',
		],
		[
			'no e-mail address',
			signatory({ ...ada, email: 'ada' }),
			'Signatories: Email of signatory 1: "ada" is not an e-mail address',
		],
		[
			'two addresses in one',
			signatory({ ...ada, email: 'a@x.com, b@x.com' }),
			/is not an e-mail address/,
		],
		[
			'an e-mail with a name',
			signatory({ ...ada, email: 'Ada <ada@example.com>' }),
			/is not an e-mail address/,
		],
		[
			'an endless e-mail',
			signatory({ ...ada, email: `${'a'.repeat(300)}@example.com` }),
			/is not an e-mail address/,
		],
		[
			'an e-mail twice',
			signatory(ada, { ...ada, email: 'ADA@Example.com' }),
			'Signatories: Email of signatory 2: "ADA@Example.com" is the e-mail of signatory 1, too',
		],
		[
			'an empty name',
			signatory({ ...ada, name: '' }),
			'Signatories: Name of signatory 1: it is empty',
		],
		['an expression that gives nothing', list(''), 'Signatories: the expression gives nothing'],
		[
			'an expression that gives a text',
			list('ada@example.com'),
			'Signatories: the expression does not give a list',
		],
		[
			'an expression that gives an object',
			list(ada),
			'Signatories: the expression does not give a list',
		],
		[
			'a list of texts',
			list(['ada@example.com']),
			'Signatories: signatory 1: it is not an object with an email and a name',
		],
		[
			'a list with null',
			list([ada, null]),
			'Signatories: signatory 2: it is not an object with an email and a name',
		],
		['an empty country', { country: '' }, 'Country: none is chosen'],
		['a country that is no text', { country: 5 }, 'Country: none is chosen'],
		[
			'too many parallel requests',
			{ options: { parallelRequests: 51 } },
			'Parallel Requests: it is out of range',
		],
		[
			'no parallel request',
			{ options: { parallelRequests: 0 } },
			'Parallel Requests: it is out of range',
		],
		[
			'parallel requests in words',
			{ options: { parallelRequests: 'ten' } },
			'Parallel Requests: it must be a whole number',
		],
		[
			'half a parallel request',
			{ options: { parallelRequests: 1.5 } },
			'Parallel Requests: it must be a whole number',
		],
		['no time at all', { options: { timeout: 0 } }, 'Timeout: it is out of range'],
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
			'Signature Positions: position 1, Signatory Email: "eve@example.com" is not one of the signatories',
		],
		[
			'a position for nobody',
			{ email: '' },
			'Signature Positions: position 1, Signatory Email: it is empty',
		],
		[
			'page 0',
			{ email: ada.email, page: 0 },
			'Signature Positions: position 1, Page: it must be a whole number of at least 1',
		],
		['page one and a half', { email: ada.email, page: 1.5 }, /Page: it must be a whole number/],
		[
			'an unknown place',
			{ email: ada.email, place: 'somewhere' },
			'Signature Positions: position 1, Place: there is no such place',
		],
		[
			'coordinates left empty',
			{ email: ada.email, place: 'exact', x: '', y: 1 },
			'Signature Positions: position 1, Left: it must be a number of at least 0',
		],
		[
			'a color by name',
			{ email: ada.email, color: 'red' },
			'Signature Positions: position 1, Color: it is not a hex color',
		],
	])('version 1: %s', async (_name, position, message) => {
		const parameters = { ...v1Setup(service).parameters, signPositions: { position: [position] } };
		const error = await failureOf(runAction(service.credential(), { parameters: parameters }));
		expect(error.message).toMatch(message);
		expect(creations()).toHaveLength(0);
	});
});
