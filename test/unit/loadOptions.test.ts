import { type ILoadOptionsFunctions } from 'n8n-workflow';

import { standIn, type Respond } from '../support/standIn';
import { triggerMethods } from '../../nodes/SignVerify/methods';

describe('the templates to filter by', () => {
	const v2 = [
		{ templateID: 't2', name: 'Lease' },
		{ templateID: 't1', name: 'Contract' },
	];
	const v1 = [
		{ _id: 't3', name: '' },
		{ templateID: 't1', name: 'Contract' },
	];
	const choices = async (respond: Respond) =>
		await triggerMethods.loadOptions.getTemplates.call(
			standIn(respond).context as ILoadOptionsFunctions,
		);

	test('are those of both versions, each once, by name', async () => {
		const list = await choices(({ options }) => ({
			body: { responseData: options.url.endsWith('/v2') ? v2 : v1 },
		}));
		expect(list).toEqual([
			{ name: 'Contract', value: 't1' },
			{ name: 'Lease', value: 't2' },
			{ name: 't3', value: 't3' },
		]);
	});

	test('are those of one version where the other is not to be had', async () => {
		const list = await choices(({ options }) =>
			options.url.endsWith('/v2') ? { status: 404, body: {} } : { body: { responseData: v1 } },
		);
		expect(list.map(({ value }) => value).sort()).toEqual(['t1', 't3']);
	});

	test('of neither version are an error', async () => {
		await expect(choices(() => ({ status: 404, body: {} }))).rejects.toMatchObject({
			message: 'The service did not find it (HTTP 404)',
			httpCode: '404',
		});
		expect(await choices(() => ({ body: { responseData: [] } }))).toEqual([]);
	});
});
