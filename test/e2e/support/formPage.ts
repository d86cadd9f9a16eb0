import type { Stage } from '../../../host/stage';
import { axios } from '../../support/http';
import { until } from '../../support/until';

/** The last page of a form, and the files that it offers for download. */
export interface LastPage {
	page: string;
	files: Array<{ fileName: string; content: Buffer }>;
}

/**
 * Fills in a form that requires the same login as the editor, and submits it.
 * @param form The end of the form's URL.
 * @param values The answers, in the order of the questions.
 */
export async function lastPage(
	{ n8n, owner }: Pick<Stage, 'n8n' | 'owner'>,
	form: string,
	values: string[],
): Promise<LastPage> {
	const auth = { username: owner.email, password: owner.password };
	const data = new FormData();
	values.forEach((value, index) => data.append(`field-${index}`, value));
	// A form without questions sends the empty field that n8n's own page sends.
	if (values.length === 0) data.append('field-0', '');
	const url = `${n8n.url}/form/${form}`;
	const { formWaitingUrl } = (await axios.post<{ formWaitingUrl: string }>(url, data, { auth }))
		.data;
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	await until('the form has its last page', async () => {
		return (await axios.get<string>(status.href, { auth })).data === 'form-waiting';
	});
	const { data: page } = await axios.get<string>(formWaitingUrl, { auth });
	// The page's script turns this list of files into downloads.
	const [, encoded = '[]'] = /decodeURIComponent\("([^"]+)"\)/.exec(page) ?? [];
	const files = JSON.parse(decodeURIComponent(encoded)) as Array<{
		data: { data: number[] };
		fileName: string;
	}>;
	return {
		page,
		files: files.map((file) => ({
			fileName: file.fileName,
			content: Buffer.from(file.data.data),
		})),
	};
}
