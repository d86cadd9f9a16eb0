import os from 'node:os';
import { Readable } from 'node:stream';

import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../nodes/SignVerify/api/notification';
import { simplifyNotification } from '../nodes/SignVerify/events/eventItem';
import { maxResponseBytes } from '../nodes/SignVerify/http/request';
import { readBody } from '../nodes/SignVerify/http/response';
import { isProvenName } from '../nodes/SignVerify/api/nameOnId';
import { plainText } from '../nodes/SignVerify/util/redact';
import type { Outcome } from './report';
import type { Bench } from './stage';
import { type Ratios, thresholds } from './thresholds';

/** How often each work is done. The shortest time counts. */
const rounds = 3;

/** Fills a size with copies of a text. */
const filled = (text: string, size: number) => text.repeat(size / text.length);

/** Prepares the longest work that an input can cause, for each of the thresholds. */
const works = {
	largestList() {
		const piece = Buffer.from(`{"templates":[${filled('{},', maxResponseBytes.list - 20)}{}]}`);
		const { signal } = new AbortController();
		return async () => {
			const body = Readable.from([piece]);
			await readBody({ body, headers: {}, statusCode: 200 }, signal, 'list');
		};
	},
	largestEvent() {
		const count = (maxResponseBytes.single - 100) / '{"_id":"123456"},'.length;
		const signatory = Array.from({ length: count }, (_, at) => ({ _id: `${100_000 + at}` }));
		const body: IDataObject = { Document: { documentID: 'd', signatory } };
		const include = ['history', 'signingLinks'];
		return () => simplifyNotification(readNotification('signDocument', body), { include });
	},
	longestNames() {
		const name = (word: string) => filled(`${word} `, 300).trim();
		const [one, other] = [name('abcdefghi'), name('klmnopqrs')];
		return () => isProvenName(one, { fullName: other, given: other, families: [other] });
	},
	longestText() {
		const text = filled('http:%2540', 10_000);
		return () => plainText(text);
	},
} satisfies { [Name in keyof Ratios]: () => () => unknown };

/** The load of the last minute, as a number of programs that each keep a core busy. */
const load = () => os.loadavg()[0] ?? 0;

/**
 * Measures how much processor time the largest inputs that the nodes accept take, outside n8n. Absolute times depend on
 * the machine, so its load decides whether they are judged.
 */
export async function measureLimits({ log }: Bench): Promise<Outcome> {
	const cores = os.availableParallelism();
	const loadBefore = load();
	const ratios: Ratios = {};
	for (const [key, prepare] of Object.entries(works)) {
		const name = key as keyof typeof works;
		log(`  ${thresholds[name].what}…`);
		const work = prepare();
		const times: number[] = [];
		for (let round = 1; round <= rounds; round++) times.push(await processorSecondsOf(work));
		ratios[name] = Math.min(...times);
	}
	return { tables: [], ratios, isBusy: Math.max(loadBefore, load()) >= cores };
}

async function processorSecondsOf(work: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1e6;
}
