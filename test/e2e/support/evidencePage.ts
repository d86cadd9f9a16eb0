import type { Owner } from '../../../host/apiTypes';
import { axios } from '../../support/http';
import { until } from '../../support/until';

/**
 * Fills in the form of the example keep-evidence.
 * @param url n8n's URL, without a trailing slash.
 * @returns The contents of the file that the form offers for download, or the form's last page if there is no
 * file.
 */
export async function evidencePage(
	url: string,
	{ email, password }: Owner,
	documentId: string,
): Promise<string> {
	const auth = { username: email, password };
	const data = new FormData();
	data.append('field-0', documentId);
	const form = await axios.post<{ formWaitingUrl: string }>(`${url}/form/evidence`, data, { auth });
	const { formWaitingUrl } = form.data;
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	const isThere = async () =>
		(await axios.get<string>(status.href, { auth })).data === 'form-waiting';
	await until('the form has its last page', isThere);
	const { data: page } = await axios.get<string>(formWaitingUrl, { auth });
	// The page's script turns this list of files into downloads.
	const [, encoded = '[]'] = /decodeURIComponent\("([^"]+)"\)/.exec(page) ?? [];
	const [file] = JSON.parse(decodeURIComponent(encoded)) as Array<{
		data: { data: number[] };
		fileName: string;
	}>;
	if (!file) return page;
	expect(file.fileName).toBe(`evidence-${documentId}.html`);
	return Buffer.from(file.data.data).toString();
}
