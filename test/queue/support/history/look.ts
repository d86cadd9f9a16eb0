import { firstViolation } from './check';
import { readHistory } from './history';
import { eventSummary, sendSummary } from './summary';
import { waitSummary } from './waitSummary';

/**
 * Decides once more on histories that were kept:
 * `node scripts/run.mjs test/queue/support/history/look.ts .run/histories/events-11.jsonl`.
 */
for (const file of process.argv.slice(2)) {
	const history = readHistory(file);
	const isOfEvents = history.some((each) => each.type === 'call' && each.event !== undefined);
	const isOfWaits = history.some((each) => each.type === 'wait');
	const summary = isOfEvents ? eventSummary : isOfWaits ? waitSummary : sendSummary;
	console.log(`${file}: ${history.length} entries`);
	console.log(JSON.stringify(summary(history)));
	const violation = firstViolation(history);
	console.log(violation ? `Not allowed: ${violation.rule}` : 'Allowed.');
	for (const entry of violation?.entries ?? []) console.log(`  ${JSON.stringify(entry)}`);
	if (violation) process.exitCode = 1;
}
