import type { IDataObject } from 'n8n-workflow';

import { outputOf } from '../../host/executions';
import { actionSteps, toRealPeople } from '../../host/workflow';
import { keyProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { post } from '../support/http';
import { filledForm, templateFor } from '../support/service';
import { until } from '../support/until';
import { listWorkflow, untilEnded, useWaiting } from './support/wait';

// Only a real n8n shows whether its database remembers whom a key was used for. Two workers with PostgreSQL are in
// test/queue/sendOnce.test.ts.
const own = useWaiting('send-once-key');

const ana = { name: 'Ana Gil', email: 'ana@example.com' };
const ben = { name: 'Ben Ray', email: 'ben@example.com' };

test('a Send Once Key skips the same people and refuses other people, even after n8n was killed', async () => {
	const { sandbox } = own.stage;
	const action = await actionSteps(own.n8n.api);
	const send = action('Send', {
		resource: 'document',
		operation: 'send',
		...filledForm(templateFor(2, sandbox)),
		specifySignatories: 'expression',
		signatoriesList: "={{ $('Call').first().json.body.people }}",
		...toRealPeople,
		options: { sendOnceKey: "={{ 'C-1' }}" },
	});
	const steps = [{ ...send, onError: 'continueRegularOutput' as const }];
	const { workflow, path } = listWorkflow('Sends once', '={{ { list: [1] } }}', steps);
	const { id } = await own.n8n.api.createWorkflow(workflow);
	await own.n8n.api.publish(id);
	const seen = new Set<string>();
	const sentTo = async (...people: IDataObject[]) => {
		expect(await post(`${own.n8n.url}/webhook/${path}`, { people })).toBe(200);
		const started = await until('the execution has started', async () =>
			(await own.n8n.api.executions({ workflowId: id })).find((one) => !seen.has(one.id)),
		);
		seen.add(started.id);
		const [item] = outputOf(await untilEnded(own.n8n.api, started.id), 'Send');
		const error = item?.json.error as IDataObject | undefined;
		return [item?.json.outcome ?? error?.outcome, error?.message];
	};
	const isOther = [
		'failed',
		`Send Once Key: ${keyProblems.otherPeople('C-1', 'document').problem}`,
	];
	const before = sandbox.documents().length;
	expect(await sentTo(ana, ben)).toEqual(['sent', undefined]);
	expect(await sentTo(ben, { ...ana, email: 'ANA@example.com' })).toEqual(['skipped', undefined]);
	expect(await sentTo(ana, { ...ben, email: 'cy@example.com' })).toEqual(isOther);
	// Names don't matter, and an address that can't be read is neither the same nor another one.
	expect(await sentTo(ana, { email: ben.email })).toEqual(['skipped', undefined]);
	expect(await sentTo(ana, { email: 'cy@example.com' })).toEqual(isOther);
	expect(await sentTo(ana, { ...ben, email: 'ben@' })).toEqual(['check', undefined]);
	await own.n8n.kill();
	await own.restart();
	expect(await sentTo(ana, { ...ben, email: 'cy@example.com' })).toEqual(isOther);
	expect(await sentTo(ana, { ...ben, email: 'ben@' })).toEqual(['check', undefined]);
	expect(await sentTo(ana, ben)).toEqual(['skipped', undefined]);
	expect(sandbox.documents()).toHaveLength(before + 1);
});
