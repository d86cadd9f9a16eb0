import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

import { root } from '../../scripts/tools';
import { manifest, textOfFile } from '../support/files';

interface Service {
	image?: string;
	secrets?: string[];
	environment?: Record<string, string | number>;
	tmpfs?: string[];
}

const read = (file: string) => textOfFile(`deploy/${file}`);
const compose = read('compose.yaml');
const { services, secrets } = parse(compose, { merge: true }) as {
	services: Record<string, Service>;
	secrets: Record<string, { file: string }>;
};

/** The variables that a .env file sets. */
const env = (text: string): Record<string, string> =>
	Object.fromEntries(
		[...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
	);
const example = read('.env.example');
const behindProxy = example.replace(/^# (\w+=)/gm, '$1');

/** Replaces variables the way Docker Compose does, innermost first. */
function filledIn(text: string, variables: Record<string, string | undefined>): string {
	let value = text;
	for (let before = ''; before !== value;) {
		before = value;
		value = value.replace(/\$\{(\w+)(?::([-?])([^${}]*))?\}/, (_all, variable: string, how, or) => {
			const given = variables[variable];
			if (!given && how === '?') throw new Error(String(or));
			return given || String(or ?? '');
		});
	}
	return value;
}

test.each([
	[
		'if there is no other proxy',
		example,
		{ site: 'n8n.example.com, hooks.example.com', hops: '1' },
	],
	['behind another proxy', behindProxy, { site: ':80', hops: '2' }],
])(
	'the editor and the webhooks each have their own public host name %s',
	(_how, text, expected) => {
		const variables = env(text);
		const setting = (service: string, name: string) =>
			filledIn(String(services[service]?.environment?.[name]), variables);
		for (const service of ['main', 'worker', 'webhook']) {
			expect(setting(service, 'N8N_WEBHOOK_URL')).toBe('https://hooks.example.com/');
			expect(setting(service, 'N8N_EDITOR_BASE_URL')).toBe('https://n8n.example.com/');
			expect(setting(service, 'N8N_PROXY_HOPS')).toBe(expected.hops);
			// test/e2e/strict.test.ts shows how n8n behaves with these two settings.
			expect(setting(service, 'N8N_SSRF_PROTECTION_ENABLED')).toBe('true');
			expect(setting(service, 'N8N_SSRF_ALLOWED_HOSTNAMES')).toBe('service.example.com');
		}
		expect(setting('proxy', 'SITE_ADDRESS')).toBe(expected.site);
	},
);

test('the example file sets every variable that compose.yaml uses, but does not contain any secrets', () => {
	const asked = new Set([...compose.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name));
	const missing = [...asked].filter((name) => !(String(name) in env(behindProxy)));
	expect(
		missing.map((name) => `deploy/.env.example: add ${name}=, because compose.yaml reads it`),
	).toEqual([]);
	const secret = /password|secret|key|token/i;
	expect(Object.keys(env(behindProxy)).filter((name) => secret.test(name))).toEqual([]);
});

test('the images and the package are each pinned to one version', () => {
	const images = Object.values(services).map(({ image }) => image ?? '');
	const foreign = [...new Set(images)].filter((image) => image !== 'signverify-n8n');
	expect(foreign).toHaveLength(3);
	for (const image of foreign) expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?-alpine$/);
	expect(read('Dockerfile')).toMatch(/^FROM n8nio\/n8n:\d+\.\d+\.\d+$/m);
	expect(read('Dockerfile')).toMatch(/^ENV N8N_UNVERIFIED_PACKAGES_ENABLED=true$/m);
	expect(env(example).PACKAGE).toBe(`./n8n-nodes-signverify-${manifest.version}.tgz`);
	expect(env(behindProxy).PACKAGE).toBe(`n8n-nodes-signverify@${manifest.version}`);
	expect(compose + read('Dockerfile')).not.toContain('@latest');
});

/** Runs the Dockerfile's check of the package name. */
function checkPackageName(name: string): void {
	const [, check] = /^RUN (case .*)$/m.exec(read('Dockerfile')) ?? [];
	if (check === undefined) throw new Error('The Dockerfile does not check the name.');
	execFileSync('sh', ['-c', check], { env: { PACKAGE: name }, stdio: 'pipe' });
}

test.each(['n8n-nodes-signverify@1.2.3', './package.tgz'])(
	'the image can be built if PACKAGE is %j',
	(name) => {
		expect(() => checkPackageName(name)).not.toThrow();
	},
);

test.each(['n8n-nodes-signverify@latest', 'n8n-nodes-signverify', ''])(
	'the image cannot be built if PACKAGE is %j',
	(name) => {
		expect(() => checkPackageName(name)).toThrow(/PACKAGE has to name one version/);
	},
);

test('secrets are stored in files that are created only once, and no environment variable contains a secret', () => {
	const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'signverify-deploy-')), 'secrets');
	try {
		const make = () => execFileSync(path.join(root, 'deploy/make-secrets.sh'), [folder]);
		make();
		const values = () =>
			readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]);
		const made = values();
		expect(made.map(([name]) => name).sort()).toEqual(Object.keys(secrets).sort());
		for (const [, value] of made) expect(value).toMatch(/^[0-9a-f]{64}$/);
		expect(new Set(made.map(([, value]) => value)).size).toBe(made.length);
		expect(statSync(folder).mode & 0o777).toBe(0o700);
		make();
		expect(values()).toEqual(made);
	} finally {
		rmSync(path.dirname(folder), { recursive: true });
	}
	// Each service reads its secrets from files, and is given only the secrets that it needs.
	for (const { environment = {}, secrets: given = [] } of Object.values(services)) {
		const read = Object.values(environment).filter((value) =>
			String(value).startsWith('/run/secrets/'),
		);
		for (const file of read) expect(given).toContain(path.basename(String(file)));
		const words = Object.keys(environment).filter(
			(name) => /PASSWORD|_KEY$/.test(name) && !name.endsWith('_FILE'),
		);
		expect(words).toEqual([]);
	}
	expect(read('.gitignore')).toContain('secrets/');
});

test('the Caddyfile uses exactly the variables that compose.yaml sets for the proxy', () => {
	const asked = [...read('Caddyfile').matchAll(/\{\$(\w+)\}/g)].map(([, name]) => name);
	expect([...new Set(asked)].sort()).toEqual(Object.keys(services.proxy?.environment ?? {}).sort());
	expect(read('Caddyfile')).toMatch(/^\{\$SITE_ADDRESS\} \{$/m);
});

// Observed with Caddy 2.6.2: Caddy responds with 413 to a body that is too large, whether the body has a
// declared length or arrives in chunks.
const isForm = 'path /form/* /form-waiting/*';
const isNoForm = `not ${isForm}`;
const isNotForEditor = 'not {\nhost {$N8N_HOST}\nremote_ip {$EDITOR_ADDRESSES}\n}';
test.each([
	[
		'all calls but those to the editor',
		'calls',
		'large_call',
		[isNoForm, isNotForEditor],
		'EVENT',
		'2000000',
	],
	['forms, which can contain files,', 'forms', 'large_form', [isForm], 'FORM', '16000000'],
])('the proxy limits the body size of %s', (_what, limited, large, conditions, name, usual) => {
	const variable = `MAX_${name}_BYTES`;
	const lines = read('Caddyfile').replaceAll('\t', '');
	const all = conditions.join('\n');
	const matcher = conditions.length > 1 ? `{\n${all}\n}` : all;
	expect(lines).toContain(
		`@${limited} ${matcher}\nrequest_body @${limited} {\nmax_size {$${variable}}\n}\n`,
	);
	const length = '{http.request.header.Content-Length}';
	expect(lines).toContain(
		`@${large} {\n${all}\nexpression \`${length} != "" && int(${length}) > {$${variable}}\`\n}\nhandle @${large} {\nrespond 413\n}\n`,
	);
	const size = String(services.proxy?.environment?.[variable]);
	expect(filledIn(size, env(example))).toBe(usual);
	expect(filledIn(size, {})).toBe(usual);
	expect(filledIn(size, { [variable]: '20000000' })).toBe('20000000');
});

test('a worker starts with an empty event log, so that it does not overwrite a wait that an event has continued', () => {
	const { environment, tmpfs = [] } = services.worker as Service;
	const eventLog = String(environment?.N8N_EVENTBUS_LOGWRITER_LOGFULLPATH);
	expect(tmpfs.filter((folder) => eventLog.startsWith(`${folder}/`))).toHaveLength(1);
});

// Observed with Caddy 2.6.2: when Caddy logs a 5xx response, the log line contains only the path.
test("Caddy's log does not contain headers or query strings", () => {
	const [, pattern = '', instead] =
		/^\t\t\t\trequest>uri regexp (\S+) (\S+)$/m.exec(read('Caddyfile')) ?? [];
	const uri = '/webhook/abc/signverify?secret=s?x&signature=t';
	expect(uri.replace(new RegExp(pattern), String(instead))).toBe('/webhook/abc/signverify?…');
	expect(read('Caddyfile')).toMatch(/^\t\t\t\trequest>headers delete$/m);
	expect(read('Caddyfile')).toMatch(/^\t\t\t\tresp_headers delete$/m);
});

test('the host name for webhooks serves webhooks, forms, and MCP, but not the editor', () => {
	const paths = [
		...read('Caddyfile').matchAll(
			/@(\w+) path (.+)\n\t\thandle[^]*?(?:import|reverse_proxy) (\w+)/g,
		),
	];
	expect(paths.map(([, name, list, to]) => [name, list, to])).toEqual([
		['production', '/webhook/* /webhook-waiting/* /form/* /form-waiting/* /mcp/*', 'webhook'],
		['tests', '/webhook-test/* /form-test/* /mcp-test/*', 'main'],
		['where_to_log_in', '/.well-known/oauth-protected-resource/*', 'main'],
	]);
	expect(read('Caddyfile').match(/handle \{\s*respond 404\s*\}/g)).toHaveLength(2);
});

// That these paths are enough for the login is tested in test/e2e/proxies.nightly.test.ts.
test("outside the given addresses, the editor's host name serves only the login to an MCP server", () => {
	const lines = read('Caddyfile').replaceAll('\t', '');
	expect(lines).toContain('@editor {\nhost {$N8N_HOST}\nremote_ip {$EDITOR_ADDRESSES}\n}\n');
	const [, login = ''] = /@login \{\nhost \{\$N8N_HOST\}\npath (.+)\n\}/.exec(lines) ?? [];
	// A single n8n process has one host name for everything.
	const [shared = '', ofSingle = ''] = [
		...read('Caddyfile.single').matchAll(/^\t\tpath (.+)$/gm),
	].map(([, paths]) => paths);
	expect(shared.split(' ')).toContain('/mcp/*');
	expect(ofSingle).toBe(`/.well-known/oauth-protected-resource/* ${login}`);
	const shown = textOfFile('docs/signing-desk.md').split("- under the editor's host name: ")[1];
	const listed = [...(shown?.split('\n')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, one]) => one);
	expect(login.replaceAll('*', '').split(' ').sort()).toEqual(listed.sort());
	// "/rest/" as a whole is the editor's API.
	expect(
		login.split(' ').filter((path) => path.startsWith('/rest/') && path.endsWith('*')),
	).toEqual([]);
	const addresses = String(services.proxy?.environment?.EDITOR_ADDRESSES);
	expect(filledIn(addresses, {})).toBe('private_ranges');
});
