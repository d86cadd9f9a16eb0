import { existsSync } from 'node:fs';
import path from 'node:path';

import { eventRow, events } from '../../nodes/SignVerify/api/events';
import { root } from '../../scripts/tools';
import { readPage } from './markdown';

// The pages describe every event of the nodes (docs/dev/adding-an-operation.md, "Add an event").

const sectionOf = (file: string, heading: string) =>
	readPage(file).prose.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

test('the table in docs/trigger.md lists every event', () => {
	const table = sectionOf('docs/trigger.md', 'Events');
	const missing = events.flatMap(({ name }) =>
		table.includes(`| ${name} `) ? [] : [`docs/trigger.md, "Events": add a row for "${name}"`],
	);
	expect(missing).toEqual([]);
});

test('the documentation on waiting mentions every output field that is added when a wait ends', () => {
	const pages = { identity: 'docs/verify-an-identity.md', document: 'docs/waiting.md' };
	const missing = events.flatMap(({ type }) => {
		const { about, endsWait } = eventRow(type);
		const page = pages[about];
		return Object.keys(endsWait?.outcome ?? {})
			.filter((field) => !new RegExp(`\`${field}[\`:]`).test(readPage(page).prose))
			.map((field) => `${page}: say what \`${field}\` means in the output of a wait`);
	});
	expect(missing).toEqual([]);
});

test('the "Add an event" section of docs/dev/adding-an-operation.md lists only existing files', () => {
	const section = sectionOf('docs/dev/adding-an-operation.md', 'Add an event');
	const places = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, place = '']) => place);
	expect(places).toContain('nodes/SignVerify/api/events.ts');
	expect(places.filter((place) => !existsSync(path.join(root, place)))).toEqual([]);
});
