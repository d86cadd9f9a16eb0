import { firstViolation, rules } from '../queue/support/history/check';
import { DocumentedPart } from '../support/documentedPart';

import { allowed as others } from './queueHistory/allowed';
import { allowedWaits } from './queueHistory/allowedWaits';
import { forbidden as othersForbidden } from './queueHistory/forbidden';
import { forbiddenWaits } from './queueHistory/forbiddenWaits';

const allowed = { ...others, ...allowedWaits };
const forbidden = [...othersForbidden, ...forbiddenWaits];

test.each(Object.entries(allowed))('allowed: %s', (_name, history) => {
	expect(firstViolation(history)).toBeUndefined();
});

test.each(forbidden)('forbidden: %s', (rule, history, named) => {
	const violation = firstViolation(history);
	expect(violation?.rule).toBe(rule);
	const moments = violation?.entries.map(({ at }) => at) ?? [];
	expect(moments).toEqual([...moments].sort((a, b) => a - b));
	expect(violation?.entries).toHaveLength(named.length);
	expect(violation?.entries).toEqual(expect.arrayContaining(named));
});

test('each rule has a history that breaks it', () => {
	const names = new Set(forbidden.map(([rule]) => rule));
	expect(rules.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
});

test('docs/dev/proof.md lists the rules', async () => {
	const list = rules.map(({ name }) => `- ${name[0]?.toUpperCase()}${name.slice(1)}.`);
	const page = new DocumentedPart('docs/dev/proof.md', 'history rules');
	await page.expectToBe(list.join('\n'), 'test/unit/queueHistory.test.ts');
});
