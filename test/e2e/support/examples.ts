import type { Stage } from '../../../host/stage';
import { startOutside, startPostOffice, type Outside, type PostOffice } from './outside';
import { useStage } from './stage';
import { until } from '../../support/until';
import { clearStage } from './trigger';
import { waitingOnes } from './wait';

/** Who starts; the chat model sends her contract, too. */
export const ada = {
	name: 'Ada Lovelace',
	email: 'ada@example.com',
	role: 'Analyst',
	start: '2027-03-01',
	asker: 'asks@example.com',
};

/** A stage for the tests of the examples, with all that they reach. */
export interface ExampleStage {
	stage: Stage;
	outside: Outside;
	/** Whom the chat model wants to send a contract. */
	wanted: typeof ada;
	/** The IDs of n8n's credentials by their type. */
	credentials: Record<string, string>;
	/** Waits for a mail by its receiver and a part of its subject. */
	mailTo(to: string, subject: string): Promise<ReturnType<Stage['sandbox']['mails']>[number]>;
	documentCount(): number;
	/** What the documents of this stage were made from. */
	creations(): Stage['sandbox']['requests'];
	/** Waits until an execution of a workflow waits. */
	waits(workflowId: string): Promise<string>;
}

/** A real n8n for the tests of the calling file, with a storage and a chat model beside it. */
export function useExamples(name: string): ExampleStage {
	const stage = useStage(name);
	const own: ExampleStage = {
		stage,
		outside: {} as Outside,
		wanted: ada,
		credentials: {},
		mailTo: async (to, subject) =>
			await until(`a mail "${subject}" to ${to}`, () =>
				stage.sandbox
					.mails()
					.find((mail) => mail.subject.includes(subject) && mail.to.includes(to)),
			),
		documentCount: () => stage.sandbox.documents().length,
		creations: () => stage.sandbox.requests.filter(({ path }) => path.includes('createDocument')),
		waits: async (workflowId) =>
			await until(
				'an execution waits',
				async () => (await waitingOnes(stage.n8n.api, workflowId))[0]?.id,
			),
	};
	beforeAll(async () => {
		await clearStage(stage);
		own.outside = await startOutside(() => {
			const { start, asker, ...person } = own.wanted;
			return { ...person, start_date: start, asked_by: asker };
		});
		own.credentials = await storeCredentials(stage, own.outside);
	});
	afterAll(async () => await own.outside.close?.());
	return own;
}

/** Stores the credentials for what examples reach besides the service; gives the IDs of all. */
async function storeCredentials(
	{ n8n: { api } }: Stage,
	outside: Outside,
): Promise<Record<string, string>> {
	const key = 'none-is-needed-here';
	await api.createCredential({
		name: 'S3 account',
		type: 's3',
		data: {
			endpoint: `${outside.url}/s3`,
			region: 'local',
			accessKeyId: key,
			secretAccessKey: key,
			forcePathStyle: true,
		},
	});
	await api.createCredential({
		name: 'OpenAI account',
		type: 'openAiApi',
		data: { apiKey: key, url: `${outside.url}/v1` },
	});
	return Object.fromEntries((await api.listCredentials()).map(({ id, type }) => [type, id]));
}

/**
 * Leads the mails of the examples through a mail server that can fail.
 * @returns The server, which the caller closes after n8n has ended.
 */
export async function mailThroughPostOffice({
	stage,
	credentials,
}: ExampleStage): Promise<PostOffice> {
	const office = await startPostOffice(stage.sandbox.smtp);
	const { id } = await stage.n8n.api.createCredential({
		name: 'Post office',
		type: 'smtp',
		data: { host: '127.0.0.1', port: office.port, secure: false, disableStartTls: true },
	});
	credentials.smtp = id;
	return office;
}
