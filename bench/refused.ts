import { randomUUID } from 'node:crypto';

import { withService } from './service';
import { median } from './statistics';
import type { Bench, Outcome } from './types';
import { eventsOf, listenByTrigger, listenByWebhook } from './webhooks';

/**
 * Forged calls, which both refuse: to this trigger with a wrong secret in the address, to n8n's
 * Webhook node with a wrong one in the header that it asks for.
 */
export async function measureRefused(bench: Bench): Promise<Outcome> {
	const { plan, client, n8n } = bench;
	if (!plan.refused) return { tables: [] };
	const { rounds, calls, parallel } = plan.refused;
	return await withService(bench, {}, async (service) => {
		const trigger = await listenByTrigger(bench, service);
		const webhook = await listenByWebhook(bench, { secret: randomUUID() });
		const forged = new URL(trigger.url);
		forged.searchParams.set('secret', randomUUID());
		const sides = [
			{ name: trigger.name, url: forged.href, headers: undefined, refusal: '401' },
			{ name: webhook.name, url: webhook.url, headers: { 'x-secret': 'wrong' }, refusal: '403' },
		].map((side) => ({ ...side, rates: [] as number[] }));
		const bodies = (await eventsOf(bench, service)).next(calls);
		for (let round = 0; round < rounds; round++) {
			for (const { name, url, headers, refusal, rates } of sides) {
				const { ms, statuses } = await client.make({ url, headers, bodies, parallel });
				if (statuses[refusal] !== calls) {
					throw new Error(`The ${name} answered forged calls with ${JSON.stringify(statuses)}.`);
				}
				rates.push(calls / (ms / 1000));
			}
		}
		const [own, other] = sides;
		const ratio = median(own?.rates.map((rate, at) => rate / (other?.rates[at] ?? NaN)) ?? []);
		for (const { workflowId } of [trigger, webhook]) await n8n.api.deactivate(workflowId);
		return {
			tables: [
				{
					id: 'refused',
					title: `Forged calls, ${parallel} in parallel`,
					columns: [
						{ key: 'side', title: 'Who' },
						{ key: 'refusal', title: 'Answers' },
						{ key: 'ratio', title: 'Calls a second / Webhook node', digits: 2 },
						{ key: 'rate', title: 'Calls a second' },
					],
					rows: sides.map(({ name, refusal, rates }, at) => ({
						side: name,
						refusal,
						rate: median(rates),
						ratio: at === 0 ? ratio : undefined,
					})),
				},
			],
		};
	});
}
