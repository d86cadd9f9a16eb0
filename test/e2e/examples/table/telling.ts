import type { MailView } from '../../../../sandbox/types';
import { own } from '../runStage';

/** The other examples name it by this ID. */
export const tellingId = 'tellWhenItFails1';

/** Publishes the workflow that tells of failures, which can be stored once. */
export async function publishTelling(): Promise<void> {
	const { api } = own.n8n;
	const stored = (await api.listWorkflows()).some(({ id }) => id === tellingId);
	if (!stored) await own.store('tell-when-it-fails');
	await api.activate(tellingId);
}

/** Its mails about a workflow. @param name Without its number. */
export const failuresIn = (mails: MailView[], name: string): MailView[] =>
	mails.filter(
		({ to, subject }) =>
			to.includes('people@example.com') &&
			subject.startsWith('Workflow failed: ') &&
			subject.endsWith(name),
	);
