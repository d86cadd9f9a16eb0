import { runKinds } from '../../nodes/SignVerify/n8nInternals';
import { readPage } from './markdown';

test("docs/test-runs.md shows for each of n8n's modes whether it is a test run", () => {
	const { prose } = readPage('docs/test-runs.md');
	const section = prose.split('\n## What counts as a test run\n')[1] ?? '';
	const rows = [...section.matchAll(/^\| .* \| (.*?) +\| ((?:`\w+`(?:, )?)+) *\|$/gm)];
	const kinds = {
		'Yes, even if the workflow is published': 'test',
		"Only if the workflow isn't published": 'live if published',
		"Only if n8n reports that the workflow isn't published": 'test if not published',
		No: 'live',
		"n8n doesn't report it": 'unknown',
	};
	const shown = rows.flatMap(([, kind = '', modes = '']) =>
		[...modes.matchAll(/\w+/g)].map(([mode]) => [mode, kinds[kind as keyof typeof kinds] ?? kind]),
	);
	expect(Object.fromEntries(shown)).toEqual(runKinds);
	expect(shown).toHaveLength(Object.keys(runKinds).length);
});
