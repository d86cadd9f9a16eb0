import type { SandboxOptions } from '../sandbox';
import { createAll } from './documents';
import { tally } from './rateLimit';
import { withService } from './service';
import type { Bench, Outcome, Row } from './types';

const cases: Array<{ what: string; options: SandboxOptions }> = [
	{ what: 'lives 5 minutes; the credential has none yet', options: {} },
	{
		what: 'lives 2 seconds, and a new one ends the old ones',
		options: { tokenLifetimeSeconds: 2, invalidateOnRenew: true },
	},
];

/** How many access tokens this node asks for while it creates documents. */
export async function measureTokens(bench: Bench): Promise<Outcome> {
	const { plan } = bench;
	if (!plan.tokens) return { tables: [] };
	const { requests, parallel, latencyMs } = plan.tokens;
	const rows: Row[] = [];
	for (const { what, options } of cases) {
		const row = await withService(bench, { ...options, latencyMs }, async (service) => {
			const { sandbox } = service;
			const before = sandbox.tokenExchanges();
			const ms = await createAll(bench, service, { kind: 'node', parallel }, requests);
			return {
				what,
				requests,
				exchanges: sandbox.tokenExchanges() - before,
				refused: sandbox.requests.filter(({ status }) => status === 401).length,
				...tally(sandbox, requests),
				seconds: ms / 1000,
			};
		});
		rows.push(row);
	}
	return {
		tables: [
			{
				id: 'tokens',
				title: `Token exchanges, ${parallel} requests in parallel`,
				columns: [
					{ key: 'what', title: 'The token' },
					{ key: 'requests', title: 'Documents' },
					{ key: 'exchanges', title: 'Exchanges' },
					{ key: 'refused', title: 'Calls refused for their token' },
					{ key: 'created', title: 'Created' },
					{ key: 'twice', title: 'Created twice' },
					{ key: 'seconds', title: 'Seconds', digits: 1 },
				],
				rows,
			},
		],
	};
}
