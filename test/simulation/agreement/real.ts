import { ensureHost } from '../../../host/install.cjs';
import { startN8n, type N8n } from '../../../host/n8n';
import { inParallel, startHost, type Host } from '../../e2e/composition/host';
import { startSandbox } from '../../../sandbox';
import { deliveryPauses, type Outcome, type Scenario } from './scenario';
import { RealRun } from './realRun';

/** Scenarios under way at once: n8n is one process, and more do not make it faster. */
const atOnce = 8;

/** A real n8n for all scenarios, each with a service of its own. */
export class RealN8n {
	private restarted: N8n | undefined;

	private constructor(private readonly host: Host) {}

	/** Starts it, with the package, in an empty folder. */
	static async start(): Promise<RealN8n> {
		const host = await startHost('simulation-model');
		return new RealN8n(host);
	}

	/**
	 * Runs scenarios side by side. Where limits are to be reached, n8n is restarted once for all of
	 * them: it looks for what is due soon when it starts, and once a minute.
	 * @param expected The outcomes in the model: what comes to rest is waited for until it is so.
	 * @returns For each, the outcomes after each step, or what kept it from its end.
	 */
	async runAll(
		scenarios: Scenario[],
		expected: Outcome[][],
	): Promise<Array<PromiseSettledResult<Outcome[]>>> {
		const runs: RealRun[] = [];
		for (const [index, scenario] of scenarios.entries()) {
			const sandbox = await startSandbox({ deliveryBackoffMs: deliveryPauses });
			runs.push(new RealRun(this.host, scenario, sandbox, expected[index] ?? []));
		}
		const isLimited = ({ scenario }: RealRun) => scenario.steps.some((step) => step.do === 'limit');
		const begin = async (run: RealRun) => await run.begin();
		await inParallel(
			runs.filter((run) => !isLimited(run)),
			atOnce,
			begin,
		);
		// Last, so that n8n is down before it looks for what is due.
		const limited = runs.filter(isLimited);
		await inParallel(limited, atOnce, begin);
		if (limited.length > 0) await this.restart();
		await inParallel(limited, atOnce, async (run) => await run.finish());
		return await Promise.allSettled(runs.map(async (run) => await run.close()));
	}

	private async restart(): Promise<void> {
		await this.host.n8n.kill();
		const installation = await ensureHost({ log: () => undefined });
		const { userFolder, port, logFile } = this.host.n8n;
		const env = { DB_SQLITE_POOL_SIZE: '3' };
		this.restarted = await startN8n({ installation, userFolder, port, logFile, env });
	}

	/** Stops it; gives the secrets that it has written anywhere. */
	async close(): Promise<string[]> {
		await this.restarted?.stop();
		return await this.host.close();
	}
}
