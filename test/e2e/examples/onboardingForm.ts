import { axios } from '../support/http';
import { until } from '../support/stage';
import { own } from './runStage';

// examples/onboarding-send-the-contract.json, with what people do at a form.
const { stage } = own;
const office = 'people@example.com';
let workflow = '';

describe('onboarding-send-the-contract', () => {
	afterEach(own.unpublish);
	beforeAll(async () => {
		workflow = await own.store('onboarding-send-the-contract');
	});
	beforeEach(async () => await stage.n8n.api.activate(workflow));

	/** Submits the form as its page does; gives what the person reads then. */
	async function submit(email: string, name = 'Nina Jones'): Promise<string> {
		const data = new FormData();
		[name, email, 'Analyst', '2027-03-01'].forEach((value, index) =>
			data.append(`field-${index}`, value),
		);
		const answer = await axios.post<{ formWaitingUrl: string }>(
			`${stage.n8n.url}/form/onboarding`,
			data,
		);
		expect(answer.status).toBe(200);
		const status = new URL(answer.data.formWaitingUrl);
		status.pathname += '/n8n-execution-status';
		await until('the page is there', async () => {
			const { data: shown } = await axios.get<string>(status.href);
			return shown === 'form-waiting';
		});
		const page = await axios.get<string>(answer.data.formWaitingUrl);
		const shown = /<div class='header'>([\s\S]*?)<\/div>/.exec(page.data)?.[1] ?? '';
		return shown.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
	}
	/** The documents that were created for an address, in whatever spelling. */
	const documentsFor = (email: string) =>
		stage.sandbox
			.documents()
			.filter(({ signatory }) => signatory.some((each) => each.emailID.toLowerCase() === email));
	const create = 'POST /templates/createDocumentByTemplateV2';
	const refuseOnce = () =>
		stage.sandbox.faults.set({
			endpoint: create,
			times: 1,
			answer: {
				status: 400,
				body: { success: false, message: 'The name is too short', responseCode: 400 },
			},
		});

	test('the same person, submitted twice at once and again in another spelling: one contract', async () => {
		const pages = await Promise.all([submit('twice@example.com'), submit('twice@example.com')]);
		expect(pages.join()).toContain('The contract is on its way. Nina Jones gets an e-mail');
		const again = await submit(' Twice@Example.com ', 'Nina  Jones');
		expect(again).toContain('Sent before');
		expect(again).toContain('Nothing was sent now.');
		expect(documentsFor('twice@example.com')).toHaveLength(1);
	});

	test('refused: the person reads why, the office gets an e-mail, the corrected form is sent', async () => {
		refuseOnce();
		const page = await submit('refused@example.com', 'Ann');
		expect(page).toContain('Not sent');
		expect(page).toContain('The contract was not sent. Correct this and submit the form again:');
		expect(page).toContain('The name is too short');
		expect(own.mails(office).at(-1)?.subject).toBe('Not sent: contract of Ann');
		expect(own.mails(office).at(-1)?.text).toContain('The name is too short');
		expect(await submit('refused@example.com', 'Ann Archer')).toContain('is on its way');
		expect(documentsFor('refused@example.com')).toHaveLength(1);
	});

	test('the answer is lost: nobody is told that it was sent, and no second contract goes out', async () => {
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
		const page = await submit('lost@example.com', '<b>Zoë</b> "Zed" {{ 1 + 1 }}');
		expect(page).toContain('Nobody knows whether it was sent');
		expect(own.mails(office).at(-1)?.subject).toBe(
			'Nobody knows whether it was sent: contract of <b>Zoë</b> "Zed" {{ 1 + 1 }}',
		);
		expect(await submit('lost@example.com')).toContain('Nobody knows whether it was sent');
		expect(documentsFor('lost@example.com')).toHaveLength(1);
	});
});
