import { readArguments } from '../scripts/arguments';
import { measureRateLimit, measureTokens } from './counts';
import { measureCreate } from './create';
import { measureLimits } from './limits';
import { measureLists } from './lists';
import { judge, type Verdict } from './thresholds';
import { fullPlan, quickPlan } from './plan';
import { measureProcessor } from './processor';
import { describeMachine, publish, summaryOf, tableOf, type Outcome, type Results } from './report';
import { measureRepeats } from './repeats';
import { measureScale } from './scale';
import { withBench, type Bench } from './stage';
import { measureTrigger } from './trigger';

type Measurement = (bench: Bench) => Promise<Outcome>;

const measurements: Record<string, { name: string; measure: Measurement }> = {
	// The other measurements keep the machine busy, so these three, which judge absolute times, come first.
	limits: { name: 'The largest inputs', measure: measureLimits },
	lists: { name: 'Several lists at the same time', measure: measureLists },
	repeats: { name: 'A list uploaded again', measure: measureRepeats },
	create: { name: 'Creating documents', measure: measureCreate },
	processor: { name: "n8n's processor time", measure: measureProcessor },
	scale: { name: 'Many documents in one execution', measure: measureScale },
	'rate-limit': { name: 'A service with a rate limit', measure: measureRateLimit },
	tokens: { name: 'Token exchanges', measure: measureTokens },
	trigger: { name: 'Events', measure: measureTrigger },
};

const parts = Object.keys(measurements);

const fullRunTime = '10 to 30 minutes';

const usage = `Usage: npm run bench -- [options] [part…]

Compares the nodes with other ways to call the service, in a real n8n instance. The command fails if
a value misses its threshold.

A full run takes ${fullRunTime} and saves its results in bench/results and docs/dev/benchmarks.md.
If you add --quick or name parts, the results are only printed.

Options:

  --quick  Measure only the values that have a threshold, with fewer items
  --help   Show this help

Parts:

  limits      How much processor time the largest inputs take
  lists       How quickly n8n responds while it checks several lists
  repeats     How long a list takes that was sent before
  create      How long it takes to create documents
  processor   How much processor time n8n uses for a document
  scale       How an execution with 10,000 documents compares with one with 1,000
  rate-limit  What happens when the service limits the number of calls
  tokens      How many access tokens the nodes request
  trigger     How many events per second can start a workflow`;

/** Describes how a value missed its threshold, for example `"Time to …" is 1.31, but has to be ≤ 1.25`. */
const missText = ({ what, value, threshold }: Verdict) =>
	`"${what}" is ${value.toFixed(2)}, but has to be ${threshold}`;

/**
 * Returns the text to print at the start, so that users know what is running until the first result appears.
 */
function announcementOf(names: string[], quick = false): string {
	const advice = 'For exact results, close other programs first.';
	if (names.length > 0) return `Measuring ${names.join(', ')}. ${advice}`;
	if (quick) return `Measuring everything that has a threshold. ${advice}`;
	return `Measuring everything. This takes ${fullRunTime}. ${advice}`;
}

/** Measures again if a value misses its threshold, because other load on the machine may be the cause. */
async function measureTwice(bench: Bench, measure: Measurement): Promise<Outcome> {
	const outcome = await measure(bench);
	const missed = judge(outcome).filter(({ holds }) => !holds);
	if (missed.length === 0) return outcome;
	for (const verdict of missed) bench.log(`  Measuring again, because ${missText(verdict)}.`);
	return await measure(bench);
}

async function measureAll(bench: Bench, names: string[]): Promise<Results> {
	const results: Results = {
		date: new Date().toISOString(),
		machine: describeMachine(bench.installation),
		seconds: 0,
		ratios: {},
		isBusy: false,
		tables: [],
		failures: [],
	};
	const start = performance.now();
	for (const [key, { name, measure }] of Object.entries(measurements)) {
		if (names.length > 0 && !names.includes(key)) continue;
		bench.log(`${name}…`);
		try {
			const outcome = await measureTwice(bench, measure);
			Object.assign(results.ratios, outcome.ratios);
			results.isBusy ||= outcome.isBusy ?? false;
			results.tables.push(...outcome.tables);
			for (const table of outcome.tables) bench.log(`\n${tableOf(table)}\n`);
		} catch (error) {
			// Report a failed measurement and continue, because the other measurements take several minutes
			// and their results must not be lost.
			const words = error instanceof Error ? error.message : String(error);
			bench.log(`  Failed: ${words}`);
			results.failures.push(`${name}: ${words}`);
		}
	}
	results.seconds = (performance.now() - start) / 1000;
	return results;
}

async function main(): Promise<void> {
	const given = readArguments({
		name: 'npm run bench',
		usage,
		options: { quick: 'flag' },
		names: { what: 'Part', known: parts },
		example: 'npm run bench -- --quick',
	});
	if (!given) return;
	const { names } = given;
	const { quick } = given.values;
	const plan = quick ? quickPlan : fullPlan;
	console.log(announcementOf(names, quick));

	const results = await withBench(
		plan,
		(line) => console.log(line),
		async (bench) => await measureAll(bench, names),
	);
	console.log(`\n${summaryOf(results)}\n`);
	const missed = judge(results).filter(({ holds }) => !holds);
	for (const verdict of missed) console.error(`Threshold missed: ${missText(verdict)}`);
	for (const failure of results.failures) console.error(`Not measured: ${failure}`);
	if (missed.length > 0 || results.failures.length > 0) process.exitCode = 1;
	if (!quick && names.length === 0 && results.failures.length === 0) {
		console.log(`Written: ${(await publish(results)).join(', ')}`);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
