import { readSignedMail, readSigningMail, sign, submitForm } from '../../host/onboarding';
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
