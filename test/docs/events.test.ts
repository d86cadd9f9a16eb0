import { existsSync } from 'node:fs';
import path from 'node:path';

import { events } from '../../nodes/SignVerify/api/events';
import { eventNamed } from '../../sandbox/schemas';
import { root } from '../../scripts/tools';
import { expectToSay, readPage } from './markdown';

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

test('docs/README.md contains the number of events', () => {
	const words: Record<number, string> = { 6: 'six', 7: 'seven', 8: 'eight', 9: 'nine' };
	expectToSay('docs/README.md', `${words[events.length]} events`);
});

test.each(events)("the sandbox calls $type by the form's name", ({ type, name }) => {
	expect(eventNamed(type)?.name).toBe(name);
});

test('the "Add an event" section of docs/dev/adding-an-operation.md lists only existing files', () => {
	const section = sectionOf('docs/dev/adding-an-operation.md', 'Add an event');
	const places = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, place = '']) => place);
	expect(places).toContain('nodes/SignVerify/api/events.ts');
	expect(places.filter((place) => !existsSync(path.join(root, place)))).toEqual([]);
});
