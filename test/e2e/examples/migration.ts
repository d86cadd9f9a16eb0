import type { INode } from 'n8n-workflow';

import { allExamples } from '../../support/exampleFiles';
import { loggedIn } from '../support/trigger';
import * as own from '../support/exampleRuns';

interface Report {
	report: { workflowResults: Array<{ ruleId: string; ruleTitle: string }> };
}

/** The workflows affected by one of the report's rules, with the issues found in each. */
interface RuleReport {
	affectedWorkflows: Array<{ name: string; issues: unknown[] }>;
}

/** Selects a sheet and its columns, which a user must do before n8n can publish the workflow. */
function chooseSheet({ type, parameters }: INode): void {
	if (!type.endsWith('.googleSheets')) return;
	parameters.documentId = { __rl: true, mode: 'id', value: 'abc123' };
	parameters.sheetName = { __rl: true, mode: 'id', value: '1' };
	parameters.columns = { mappingMode: 'autoMapInputData', value: null };
}

/**
 * The issues that n8n's Migration Report lists for the published workflows, each with its workflow and rule.
 */
async function migrationIssues(version: string): Promise<string[]> {
	const { n8n, owner } = own.stage;
	const client = await loggedIn(n8n.url, owner);
	const call = async <Data>(rest: string): Promise<Data> =>
		await client.call('GET', `/breaking-changes/report${rest}`, { query: { version } });
	const { report } = await call<Report>('');
	const found = report.workflowResults.map(async ({ ruleId, ruleTitle }) => {
		const { affectedWorkflows } = await call<RuleReport>(`/${ruleId}`);
		return affectedWorkflows.map(
			({ name, issues }) => `${name}: ${ruleTitle} ${JSON.stringify(issues)}`,
		);
	});
	return (await Promise.all(found)).flat();
}

describe("n8n's Migration Report for version 3", () => {
	beforeAll(async () => {
		const { api } = own.stage.n8n;
		const types = ['googleSheetsOAuth2Api', 'googleDriveOAuth2Api', 'httpHeaderAuth', 'openAiApi'];
		for (const type of types)
			own.credentials[type] = (await api.createCredential({ name: type, type, data: {} })).id;
	});
	afterEach(own.unpublish);
	test('does not list any of the examples', async () => {
		// Workflows that other workflows start have an ID in their file and must be published before them.
		const named = allExamples.filter(({ workflow }) => workflow.id).reverse();
		for (const { name } of new Set([...named, ...allExamples])) {
			await own.publish(name, (_, nodes) => nodes.forEach(chooseSheet));
		}
		const { api } = own.stage.n8n;
		expect((await api.listWorkflows()).filter(({ active }) => active)).toHaveLength(
			allExamples.length,
		);
		expect(await migrationIssues('v3')).toEqual([]);
	});

	test('lists a workflow that would break in n8n 3', async () => {
		await own.publish('email-signed-copy', (node) => {
			Object.assign(node('Split into one item per person'), { onError: 'continueErrorOutput' });
		});
		expect(await migrationIssues('v3')).toEqual([expect.stringContaining('Always Output Data')]);
	});
});
