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
	const headings = {
		document: 'Output of Send for Signature and Wait',
		identity: 'Output of Wait Until Verified',
	};
	const missing = events.flatMap(({ type }) => {
		const { about, endsWait } = eventRow(type);
		const section = sectionOf('docs/waiting.md', headings[about]);
		return Object.keys(endsWait?.outcome ?? {})
			.filter((field) => !new RegExp(`\`${field}[\`:]`).test(section))
			.map((field) => `docs/waiting.md, "${headings[about]}": say what \`${field}\` means`);
	});
	expect(missing).toEqual([]);
});

test('the "Add an event" section of docs/dev/adding-an-operation.md lists only existing files', () => {
	const section = sectionOf('docs/dev/adding-an-operation.md', 'Add an event');
	const places = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, place = '']) => place);
	expect(places).toContain('nodes/SignVerify/api/events.ts');
	expect(places.filter((place) => !existsSync(path.join(root, place)))).toEqual([]);
});
