import { callOnce, creation, read } from '../support/calls';

/** As the functions of api/ do: what is known is said in other words. */
const explain = ({ text, path }: { text: string; path?: string }) =>
	path === 'known' || text.startsWith('known ')
		? { field: 'Field', reason: text.replace('known ', '') }
		: undefined;

const refused = async (message: unknown, status = 400, request = creation) =>
	(await callOnce(() => ({ status, body: { success: false, message } }), { ...request, explain }))
		.outcome;

test('a refusal of one field begins with its name', async () => {
	expect(await refused('known is short')).toMatchObject({
		message: 'Field: is short',
		description:
			"Correct what it names and run again. Nothing was created. The service's own words (HTTP 400): known is short",
		answered: 400,
		mayHaveCreated: false,
		topic: 'the-service-says-no',
	});
});

test('a refusal of several says all, in its own words what is not known', async () => {
	const message = [
		{ msg: ['known is short', 'other is long'] },
		{ msg: 'is empty', param: 'known' },
		{ msg: 'is odd', param: 'strange' },
	];
	expect(await refused(message, 422, read)).toMatchObject({
		message:
			'The service refused 4 values: (1) Field: is short (2) other is long (3) Field: is empty (4) strange: is odd',
		description:
			"Correct what it names and run again. The service's own words (HTTP 422): known is short; other is long; is empty; is odd",
	});
});

test('a refusal inside HTTP 200 is told in the same way', async () => {
	const body = { success: false, responseCode: 400, message: 'known is short' };
	const { outcome } = await callOnce(() => ({ status: 200, body }), { ...creation, explain });
	expect(outcome).toMatchObject({ message: 'Field: is short', answered: 400 });
});

test.each([
	[
		'nothing known',
		'other is long',
		400,
		'The service refused the request (HTTP 400: other is long)',
	],
	[
		'another status',
		'known is short',
		404,
		'The service did not find it (HTTP 404: known is short)',
	],
	['no words', undefined, 400, 'The service refused the request (HTTP 400)'],
])('%s: the words stay the service’s', async (_name, message, status, words) => {
	expect(await refused(message, status)).toMatchObject({ message: words });
});

test('a failure is none, since something may have been created', async () => {
	expect(await refused('known is short', 500)).toMatchObject({ mayHaveCreated: true });
});

test('secrets that a refusal quotes are taken out of both parts', async () => {
	const outcome = await refused('known must not be the-api-key');
	expect(JSON.stringify(outcome)).not.toContain('the-api-key');
	expect(outcome).toMatchObject({ message: 'Field: must not be …' });
});
