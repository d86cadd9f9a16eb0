import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';

const read = (file: string) => readFileSync(path.join(root, 'deploy', file), 'utf8');
const compose = read('compose.yaml');

/** The variables of a filled-in .env; a line that is commented out is one that may be used. */
const env = (text: string): Record<string, string> =>
	Object.fromEntries(
		[...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
	);
const example = read('.env.example').replace(/^(\w+)=$/gm, '$1=filled-in');
const behindProxy = example.replace(/^# (\w+=)/gm, '$1');

/** What a setting of compose.yaml is, as Docker Compose puts variables in: the innermost first. */
function settingOf(name: string, variables: Record<string, string | undefined>): string {
	let value = new RegExp(`^ +${name}: (.*?)( #.*)?$`, 'm').exec(compose)?.[1] ?? '';
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
	['alone', example, { site: 'n8n.example.com', hops: '1' }],
	['behind a proxy of yours', behindProxy, { site: ':80', hops: '2' }],
])(
	'%s: n8n names itself by its public address, whatever Caddy listens to',
	(_how, text, expected) => {
		const variables = env(text);
		for (const name of ['WEBHOOK_URL', 'N8N_EDITOR_BASE_URL']) {
			expect(settingOf(name, variables)).toBe('https://n8n.example.com/');
		}
		expect(settingOf('SITE_ADDRESS', variables)).toBe(expected.site);
		expect(settingOf('N8N_PROXY_HOPS', variables)).toBe(expected.hops);
	},
);

test('every variable that compose.yaml asks for is in the example', () => {
	const asked = new Set([...compose.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name));
	expect([...asked].filter((name) => !(String(name) in env(behindProxy)))).toEqual([]);
});

test('the Caddyfile takes its address from the variable that compose.yaml sets', () => {
	expect(read('Caddyfile')).toMatch(/^\{\$SITE_ADDRESS\} \{$/m);
});

// That Caddy 2.6.2 does so was seen: a 5xx is logged with the path alone.
test("Caddy's log leaves out headers and what comes after the question mark", () => {
	const [, pattern = '', instead] =
		/^\t\t\t\trequest>uri regexp (\S+) (\S+)$/m.exec(read('Caddyfile')) ?? [];
	const uri = '/webhook/abc/signverify?secret=s?x&signature=t';
	expect(uri.replace(new RegExp(pattern), String(instead))).toBe('/webhook/abc/signverify?…');
	expect(read('Caddyfile')).toMatch(/^\t\t\t\trequest>headers delete$/m);
});
