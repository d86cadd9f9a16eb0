import { outputOf } from '../../../host/executions';
import type { EventBody } from '../support/eventExamples';
import { own } from './eventStage';

// examples/exact-once.json, with events as a service really sends them.
const { stage } = own;
const file = 'exact-once';
const step = 'Your steps go here';

/** In how many executions of a workflow the own step has run. */
async function timesRun(id: string, executions: number): Promise<number> {
	const found = await own.over(id, executions);
	const whole = await Promise.all(
		found.map(async (each) => await stage.n8n.api.execution(each.id)),
	);
	for (const each of whole)
		expect([each.status, each.error?.message]).toEqual(['success', undefined]);
	return whole.filter((each) => outputOf(each, step).length > 0).length;
}

describe('exact-once', () => {
	test('30 events at once, redelivered after a republish: the own step runs once for each', async () => {
		const id = await own.publish(file);
		const people = Array.from({ length: 10 }, (_, index) => ({
			email: `at-once-${index}@example.com`,
			name: `Person number ${index}`,
		}));
		const documents = await Promise.all([1, 2, 3].map(async () => await own.send(people)));
		await Promise.all(
			people.flatMap(({ email }) =>
				documents.map(async (document) => await stage.sandbox.sign(document, email)),
			),
		);
		await stage.sandbox.idle();
		const signed = own.events('signDocument', ...documents);
		const completed = own.events('completedDocument', ...documents);
		expect([signed.length, completed.length]).toEqual([30, 3]);
		expect(await timesRun(id, 33)).toBe(33);

		await own.republish(id);
		await own.deliver(...signed, ...completed);
		expect(await timesRun(id, 66)).toBe(33);
		// Again, one after another.
		await own.republish(id);
		for (const each of completed) await own.deliver(each);
		expect(await timesRun(id, 69)).toBe(33);
	});

	test('n8n crashes in the own step: Retry runs it, and a repeat before and after does not', async () => {
		const id = await own.publish(file, (node) => {
			const { position, id: nodeId } = node(step);
			Object.assign(node(step), {
				type: 'n8n-nodes-base.emailSend',
				typeVersion: 2.1,
				position,
				webhookId: nodeId,
				parameters: {
					fromEmail: 'people@example.com',
					toEmail: 'own-step@example.com',
					subject: 'The own step ran',
					emailFormat: 'text',
					text: 'It did.',
					options: { appendAttribution: false },
				},
				credentials: { smtp: { id: own.credentials.smtp, name: 'Post office' } },
			});
		});
		const document = await own.send([{ email: 'crash@example.com', name: 'Crash Test' }]);
		await stage.sandbox.sign(document, 'crash@example.com');
		await own.over(id, 2);
		const [event] = own.events('signDocument', document) as [EventBody];
		event.Document.documentID = 'crashed';
		await own.crash(async () => await own.deliver(event));
		expect(own.subjects('own-step@example.com')).toHaveLength(2);

		// The trigger knows nothing of before the crash: the event comes again, while nobody knows how far it got.
		await own.deliver(event);
		const [, crashed] = await own.over(id, 4);
		expect(crashed?.status).toBe('crashed');
		expect(own.subjects('own-step@example.com')).toHaveLength(2);
		const retried = await own.retry(crashed?.id ?? '');
		expect([retried.status, outputOf(retried, 'Mark as processed').length]).toEqual(['success', 1]);
		expect(own.subjects('own-step@example.com')).toHaveLength(3);
		await own.republish(id);
		await own.deliver(event);
		await own.over(id, 6);
		expect(own.subjects('own-step@example.com')).toHaveLength(3);
	});

	test('the own step fails: the event is not marked, and passes when its time is over', async () => {
		const id = await own.publish(file, (node) => {
			node('Process item once').parameters.options = { processAgainAfter: 0.05 };
			Object.assign(node(step), {
				type: 'n8n-nodes-base.stopAndError',
				parameters: { errorMessage: 'The own step failed' },
			});
		});
		const document = await own.send([{ email: 'fails@example.com', name: 'Fails First' }]);
		await stage.sandbox.sign(document, 'fails@example.com');
		await own.over(id, 2);
		const { nodes } = await stage.n8n.api.getWorkflow(id);
		await stage.n8n.api.updateWorkflow(id, {
			nodes: nodes.map((node) =>
				node.name === step ? { ...node, type: 'n8n-nodes-base.noOp', parameters: {} } : node,
			),
		});
		await new Promise((resolve) => setTimeout(resolve, 3_500));
		await own.republish(id);
		const events = own.events('signDocument', document);
		await own.deliver(...events);
		const [latest] = await own.over(id, 3);
		const whole = await stage.n8n.api.execution(latest?.id ?? '');
		expect([whole.status, outputOf(whole, 'Mark as processed').length]).toEqual(['success', 1]);
	});
});
