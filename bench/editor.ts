import { setTimeout as delay } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { nodePanel, openEditor, startBrowser } from '../host/browser';
import { lineOf } from '../host/workflow';
import type { DynamicParameterRequest } from '../host/apiTypes';
import { withService, type Service } from './service';
import { median } from './statistics';
import type { Bench, Outcome, Row } from './types';

const nodeType = 'n8n-nodes-signverify.signVerify';
const parameters: INodeParameters = {
	resource: 'document',
	operation: 'createFromTemplate',
};

/** How long somebody waits for the template list and for a template's fields. */
export async function measureEditor(bench: Bench): Promise<Outcome> {
	if (!bench.plan.editor) return { tables: [] };
	const { templates, rounds } = bench.plan.editor;
	const rows: Row[] = [];
	for (const count of templates) {
		bench.log(`  ${count} templates…`);
		const seed = { templates: count };
		rows.push(
			await withService(bench, { seed }, async (service) => await ask(bench, service, rounds)),
		);
	}
	return {
		tables: [
			{
				id: 'editor',
				title: 'What the form loads',
				columns: [
					{ key: 'listed', title: 'Templates in the list' },
					{ key: 'bareMs', title: "The service's own answer (ms)" },
					{ key: 'listMs', title: 'Template list from n8n (ms)' },
					{ key: 'fieldsMs', title: 'Fields of a template from n8n (ms)' },
					{ key: 'browserMs', title: 'Click to list in the browser (ms)' },
				],
				rows,
			},
		],
	};
}

/** Milliseconds for which the executions of a process share a list. */
const listTime = 10_000;

async function ask(bench: Bench, service: Service, rounds: number): Promise<Row> {
	const { api } = bench.n8n;
	const { sandbox, headers, credentials } = service;
	const list: DynamicParameterRequest = {
		nodeType,
		methodName: 'searchTemplates',
		path: 'parameters.templateId',
		parameters,
		credentials: credentials as DynamicParameterRequest['credentials'],
	};
	const { results } = await api.resourceLocatorResults(list);
	const fields: DynamicParameterRequest = {
		...list,
		methodName: 'getTemplateFields',
		path: 'parameters.fields',
		parameters: {
			...parameters,
			templateId: { __rl: true, mode: 'list', value: results.at(-1)?.value ?? '' },
		},
	};
	const urls = ['/templates', '/templates/v2'].map((path) => `${sandbox.baseUrl}${path}`);
	const took = { bareMs: [] as number[], listMs: [] as number[], fieldsMs: [] as number[] };
	for (let round = 0; round < rounds; round++) {
		// Until then, n8n has the lists of the round before.
		await delay(listTime);
		const call = { method: 'GET', headers, parallel: 1 } as const;
		const get = async (url: string) => await bench.client.make({ ...call, url, bodies: [null] });
		took.bareMs.push(await timed(async () => await Promise.all(urls.map(get))));
		took.listMs.push(await timed(async () => await api.resourceLocatorResults(list)));
		took.fieldsMs.push(await timed(async () => await api.resourceMapperFields(fields)));
	}
	return {
		listed: results.length,
		bareMs: median(took.bareMs),
		listMs: median(took.listMs),
		fieldsMs: median(took.fieldsMs),
		browserMs: await inBrowser(bench, service),
	};
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

/** From the click into the field to the first entry on the screen; undefined without a browser. */
async function inBrowser(bench: Bench, { credentials }: Service): Promise<number | undefined> {
	const browser = await startBrowser().catch((error: unknown) => {
		bench.log(`  not in the browser: ${(error as Error).message}`);
	});
	if (!browser) return undefined;
	try {
		const node = { name: 'SignVerify', type: nodeType, parameters, credentials };
		const { id } = await bench.n8n.api.createWorkflow(lineOf('Form', [node]));
		const page = await openEditor(browser, bench);
		page.setDefaultTimeout(60_000);
		const took: number[] = [];
		// The first time loads the editor itself, too.
		for (let round = 0; round < 4; round++) {
			await page.goto(`${bench.n8n.url}/workflow/${id}`);
			await page.locator('[data-test-id="canvas-node"][data-node-name="SignVerify"]').dblclick();
			const field = nodePanel(page).list('templateId');
			await field.waitFor();
			took.push(
				await timed(async () => {
					await field.click();
					await page.locator('[data-test-id="rlc-item"]').first().waitFor();
				}),
			);
		}
		return median(took.slice(1));
	} finally {
		await browser.close();
	}
}
