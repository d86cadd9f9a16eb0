import '../support/shortPauses';

import { inspect } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { maxTries } from '../../nodes/SignVerify/http/retry';
import { resolvedFor, testedOperations, type TestedOperation } from '../operations';
import { clientOf, CredentialKeeper } from '../support/credentials';
import { runAction } from '../support/contexts';
import { noteSecret } from '../support/secrets';
import { allOf } from '../support/errors';
import { useService } from '../support/service';
import { settle } from '../../nodes/SignVerify/util/async';

const marks = { key: 'MARKED-KEY-7f31', token: 'MARKED-TOKEN-7f31', secret: 'MARKED-SECRET-7f31' };
// The runner of the tests looks for them in all that is printed.
noteSecret('an API key', marks.key);
noteSecret('an access token', marks.token);
noteSecret('a callback secret', marks.secret);
const service = useService({ apiKey: marks.key });

const callback = `https://example.com/events?secret=${marks.secret}`;
const refusal = (status: number, message: string, responseCode = status) => ({
	answer: { status, body: { success: false, message, responseCode } },
});

/** Nothing, and ways to fail; the service quotes what it is told. */
function faultsQuoting(words: string): Array<Omit<Fault, 'endpoint'> | undefined> {
	const page = `<html><head><title>${words}</title></head><body>${words}</body></html>`;
	return [
		undefined,
		...[400, 401, 403, 404, 500].map((status) => refusal(status, words)),
		{ ...refusal(429, words), times: 1 },
		refusal(200, words, 400),
		refusal(200, words, 401),
		{ answer: { status: 502, headers: { 'content-type': 'text/html' }, body: page } },
		{ answer: { status: 200, body: words } },
		{ reset: 'after' },
	];
}

/** As often as two runs try a call. */
const allTries = 2 * maxTries.reading.didNothing;

/** What a run leaves: its output, or all that its error holds, however deep. */
async function traceOf(
	parameters: IDataObject,
	accessToken: string,
	continueOnFail: boolean,
): Promise<string> {
	const keeper = new CredentialKeeper({
		baseUrl: service.sandbox.baseUrl,
		...service.sandbox.account,
		accessToken,
	});
	const run = runAction(keeper, { parameters, continueOnFail });
	const ended = await settle(run);
	if (ended.ok) return JSON.stringify(ended.value);
	// The node as the workflow holds it, with what its author typed: n8n's own, and no news to them.
	delete (ended.error as { node?: unknown }).node;
	return [
		allOf(ended.error),
		JSON.stringify(ended.error),
		inspect(ended.error, { depth: 10, showHidden: true }),
	].join('\n');
}

/** Collects what is written to stdout and stderr meanwhile. */
function listen(): { text: string; stop(): void } {
	const heard = { text: '', stop: () => spies.forEach((spy) => spy.mockRestore()) };
	const spies = [process.stdout, process.stderr].map((stream) =>
		jest.spyOn(stream, 'write').mockImplementation((chunk) => {
			heard.text += String(chunk);
			return true;
		}),
	);
	for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
		const spy = jest.spyOn(console, method).mockImplementation((...words: unknown[]) => {
			heard.text += inspect(words, { depth: 10 });
		});
		spies.push(spy as never);
	}
	return heard;
}

/** The form of an operation, filled in right, with the secrets that a user can give it. */
async function formOf(tested: TestedOperation): Promise<IDataObject> {
	const { sandbox } = service;
	const [item] = await tested.prepare({ sandbox, client: clientOf(sandbox) }, 1);
	const form = resolvedFor({ ...item, n: 1 }, tested.parameters);
	return {
		...form,
		...('webhookUrl' in form ? { webhookUrl: callback } : {}),
		...('prepare' in tested.operation ? { options: { sendOnceKey: 'contract 1' } } : {}),
	};
}

test.each(testedOperations)(
	'$name shows no secret, worked or failed',
	async (tested) => {
		const { faults } = service.sandbox;
		const form = await formOf(tested);
		// The service can quote a callback's secret only where the node has sent it.
		const sent = [marks.key, marks.token, ...('webhookUrl' in form ? [callback] : [])];
		const words = `This is wrong: ${sent.join(' and ')}`;
		const giveMarkedToken = () =>
			faults.set({
				endpoint: 'POST /access/token',
				answer: {
					status: 200,
					body: { success: true, responseData: { accessToken: marks.token } },
				},
			});
		const heard = listen();
		const traces: string[] = [];
		try {
			for (const fault of faultsQuoting(words)) {
				faults.clear();
				giveMarkedToken();
				if (fault) faults.set({ endpoint: '*', times: allTries, ...fault });
				traces.push(await traceOf(form, '', false), await traceOf(form, marks.token, true));
			}
			// The token has expired, and no other is given.
			for (const fault of faultsQuoting(`${marks.key} and ${marks.token}`).slice(1)) {
				faults.clear();
				faults.set({ endpoint: 'POST /access/token', times: allTries, ...fault });
				traces.push(await traceOf(form, marks.token, false));
			}
			// It works. The sandbox's own tokens are not marked; they must not be shown either.
			faults.clear();
			traces.push(await traceOf(form, '', false));
		} finally {
			heard.stop();
		}
		const all = [...traces, heard.text].join('\n');
		expect(all.length).toBeGreaterThan(1000);
		// What was asked for comes back: the address of the webhook that was created.
		const asked = JSON.stringify(callback);
		const shown = 'webhookUrl' in form ? all.split(asked).join('') : all;
		const found = shown.split('\n').filter((line) => line.includes('MARKED-'));
		expect(found).toEqual([]);
		for (const { headers } of service.sandbox.requests) {
			if (headers.token && headers.token.length > 8) expect(shown).not.toContain(headers.token);
		}
	},
	60_000,
);
