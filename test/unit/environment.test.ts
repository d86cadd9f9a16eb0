import path from 'node:path';

import { n8nEnvironment } from '../../host/environment';

const options = {
	node: path.join(path.sep, 'own', 'node'),
	userFolder: 'folder',
	port: 1,
	brokerPort: 2,
	webhookUrl: 'http://127.0.0.1:1/',
};
const ownEnvironment = process.env;
afterEach(() => (process.env = ownEnvironment));

/** Variables whose names ignore case, like those of a process on Windows. */
function likeOnWindows(variables: Record<string, string>): NodeJS.ProcessEnv {
	return new Proxy<NodeJS.ProcessEnv>(variables, {
		get: (_, wanted) =>
			Object.entries(variables).find(
				([name]) => name.toUpperCase() === String(wanted).toUpperCase(),
			)?.[1],
	});
}

test('n8n keeps the folders of PATH and the hosts without a proxy, however Windows spells the names', () => {
	process.env = likeOnWindows({
		Path: 'system',
		No_Proxy: 'intranet',
		Generic_Timezone: 'Asia/Tokyo',
	});
	const environment = n8nEnvironment(options);
	expect(environment).toMatchObject({
		PATH: `${path.dirname(options.node)}${path.delimiter}system`,
		NO_PROXY: '127.0.0.1,localhost,intranet',
		GENERIC_TIMEZONE: 'Asia/Tokyo',
	});
	const names = Object.keys(environment).map((name) => name.toUpperCase());
	// Programs disagree on how to spell this one, so n8n gets both.
	expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual(['NO_PROXY']);
});

test('n8n inherits other variables, but none that is meant for another n8n', () => {
	process.env = { HOME: 'home', N8N_PORT: '5', db_type: 'postgresdb', EMPTY: undefined };
	const environment = n8nEnvironment({ ...options, env: { EXTRA: 'x' } });
	expect(environment).toMatchObject({ HOME: 'home', N8N_PORT: '1', EXTRA: 'x' });
	expect(environment).not.toHaveProperty('db_type');
	expect(environment).not.toHaveProperty('EMPTY');
});
