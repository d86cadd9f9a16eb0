import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { WorkflowInput } from '../../../host/apiTypes';
import type { QueueStage } from '../../../host/queue/stage';
import { nodeOf } from '../../e2e/support/workflow';
import { serve } from '../../support/stub';
import { until } from '../../support/until';
import { report } from './stage';

/** Where an execution can be held: after a node, and before one of its next nodes. */
export type Place = [from: string, to: string];
export const placeText = (place: Place) => place.join(' → ');

interface Armed {
	workflow: string;
	place: string;
	/** How many executions to hold. All others pass. */
	count: number;
}

/** A server that holds executions between two nodes, so that they can be killed there. */
export class Gates {
	/** Where to hold an execution, by a text in the data of its trigger. */
	private readonly armed = new Map<string, Armed>();
	private held: ServerResponse[] = [];
	private url = '';
	close = async () => {};

	async start() {
		const server = await serve((response, request) => {
			const { workflow, place, started } = JSON.parse(request.body) as Record<string, string>;
			const [, armed] = [...this.armed].find(
				([text, at]) => at.workflow === workflow && at.place === place && started?.includes(text),
			) ?? [undefined];
			if (!armed || armed.count === 0) return void response.end('{}');
			armed.count--;
			this.held.push(response);
		});
		Object.assign(this, { url: server.url, close: server.close });
	}

	/** Adds a node to a workflow at each place. The node asks this server whether it may go on. */
	insert({ name: workflow, nodes, connections }: WorkflowInput, places: Place[]): void {
		const triggers = nodes
			.filter(({ type }) => /Trigger$|\.webhook$/.test(type))
			.map(({ name }) => name);
		for (const [from, to] of places) {
			const place = placeText([from, to]);
			const jsCode = `
				const trigger = ${JSON.stringify(triggers)}.find((name) => $(name).isExecuted);
				const started = JSON.stringify($(trigger).first().json);
				const body = { workflow: ${JSON.stringify(workflow)}, place: ${JSON.stringify(place)}, started };
				await this.helpers.httpRequest({ method: 'POST', url: '${this.url}', body, json: true });
				return $input.item;`;
			const links = (connections[from]?.main ?? [])
				.flatMap((output) => output ?? [])
				.filter(({ node }) => node === to);
			const [link] = links;
			const next = nodes.find(({ name }) => name === to);
			if (!link || !next) throw new Error(`${workflow} has no place ${place}.`);
			connections[place] = { main: [[{ ...link }]] };
			for (const one of links) Object.assign(one, { node: place, index: 0 });
			nodes.push({
				...nodeOf({ name: place, type: 'n8n-nodes-base.code' }),
				typeVersion: 2,
				position: [next.position[0] - 100, next.position[1]],
				parameters: { mode: 'runOnceForEachItem', jsCode },
			});
		}
	}

	/** Holds the next executions of a workflow at a place whose trigger's data contains this text. */
	arm(text: string, { name }: WorkflowInput, place: Place, count = 1): void {
		this.armed.set(text, { workflow: name, place: placeText(place), count });
	}

	/** Waits until each armed place holds its executions. From then on, executions pass. */
	async full(): Promise<number> {
		await until('all executions are held', () =>
			[...this.armed.values()].every(({ count }) => count === 0),
		);
		this.armed.clear();
		return this.held.length;
	}

	/** Lets the held executions go on. */
	release(): void {
		for (const response of this.held) response.end('{}');
		this.held = [];
	}

	/** Kills all workers once all executions are held, and waits until the workers are up again. */
	async killAll({ workers }: Pick<QueueStage, 'workers'>): Promise<void> {
		report(`kill -9 of the workers, which hold ${await this.full()} executions`);
		await Promise.all(workers.map(async (worker) => await worker.crash()));
		this.held = [];
		// A busy machine takes longer than "until" waits to start them.
		while (!workers.every((worker) => worker.isUp())) await delay(500);
	}
}
