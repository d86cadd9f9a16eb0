import type { Entry } from './entries';
import { eventRules } from './eventRules';
import { factsOf } from './facts';
import { registrationRules } from './registrationRules';
import { n8nRules } from './rules';
import { sendRules } from './sendRules';
import { waitRules } from './waitRules';

/** Every rule, those first whose violation says most. */
export const rules = [...waitRules, ...registrationRules, ...sendRules, ...eventRules, ...n8nRules];

/** A rule that a history breaks. */
export interface Violation {
	rule: string;
	/** The few entries that do not fit together, in their order. */
	entries: Entry[];
}

/**
 * Decides whether a history is allowed. It knows nothing of the nodes and nothing of n8n but what
 * docs/reliability.md, docs/trigger.md, docs/scaling.md and docs/waiting.md promise.
 *
 * @returns the first rule that is broken; undefined for a history that is allowed
 */
export function firstViolation(history: Entry[]): Violation | undefined {
	const facts = factsOf(history);
	for (const { name, brokenBy } of rules) {
		const entries = brokenBy(facts);
		if (entries) return { rule: name, entries: entries.sort((a, b) => a.at - b.at) };
	}
	return undefined;
}
