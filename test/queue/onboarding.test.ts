import { readSignedMail, readSigningMail, sign, submitForm } from '../../host/onboarding';
import { actionSteps } from '../../host/workflow';
import { publishForChat } from '../e2e/support/chat';
import { loggedIn, retryExecution } from '../e2e/support/trigger';
import { untilSucceeded } from '../e2e/support/wait';
import { filledForm, peopleFor, templateFor } from '../support/service';
import { useQueueStage } from './support/stage';

const stage = useQueueStage('onboarding', {}, 'with the onboarding');

test('the first two examples run in queue mode just as they do in a single process', async () => {
	await submitForm(stage.formUrl);
	const { link } = await readSigningMail(stage.sandbox.url);
	await sign(link);
	expect((await readSignedMail(stage.sandbox.url)).subject).toMatch(/^Signed: Employment contract/);
	expect(stage.sandbox.requests.filter(({ violation }) => violation)).toEqual([]);
	// In queue mode, form submissions and events go to the webhook processor.
	const [registration] = stage.sandbox.webhooks();
	expect(new URL(registration?.webHookUrl ?? '').origin).toBe(stage.url);
});

test("if n8n's Chat runs a published workflow, it goes to the real people in queue mode and on Retry as well", async () => {
	const client = await loggedIn(stage.url, stage.owner);
	const template = templateFor(2, stage.sandbox);
	const signatory = peopleFor(template);
	const action = await actionSteps(stage.api);
	const contract = action('Contract', {
		resource: 'document',
		operation: 'send',
		...filledForm(template),
		signatories: { signatory },
		inTestRuns: 'me',
		testEmail: 'me@example.com',
	});
	const people = signatory.map(({ email }) => email);
	const sentTo = () =>
		stage.sandbox
			.documents()
			.at(-1)
			?.signatory.map(({ emailID }) => emailID);
	const inChat = await publishForChat(stage.api, client, contract);
	const before = stage.sandbox.documents().length;
	stage.sandbox.faults.set({
		endpoint: 'POST /templates/createDocumentByTemplateV2',
		times: 1,
		response: { status: 400, body: { success: false, message: 'no' } },
	});
	const failed = await inChat();
	expect(failed.status).toBe('error');
	expect(stage.sandbox.documents()).toHaveLength(before);
	await untilSucceeded(stage.api, await retryExecution(client, failed.id, false));
	expect(stage.sandbox.documents()).toHaveLength(before + 1);
	expect(sentTo()).toEqual(people);
	await untilSucceeded(stage.api, (await inChat()).id);
	expect(stage.sandbox.documents()).toHaveLength(before + 2);
	expect(sentTo()).toEqual(people);
});
