import {
	settle,
	delay,
	withTimeout,
	KeyedMutex,
	timeIsOver,
} from '../../nodes/SignVerify/util/async';

const coded = (code: string) => Object.assign(new Error('no'), { code });

describe('giving up on work', () => {
	test('ends the work when its time is over', async () => {
		let ended: AbortSignal | undefined;
		const work = async (signal: AbortSignal) => {
			ended = signal;
			return await new Promise(() => {});
		};
		await expect(withTimeout(work, 20)).rejects.toMatchObject({ code: timeIsOver });
		expect(ended?.aborted).toBe(true);
	});

	test.each([16.1 * 1000, 100 / 3, -5])('takes a time of %d ms', async (ms) => {
		const ended = await settle(withTimeout(async () => await Promise.resolve('done'), ms));
		expect(ended).toEqual({ ok: true, value: 'done' });
	});

	test.each(['before', 'meanwhile'])(
		'ends it when the execution was cancelled %s',
		async (when) => {
			const cancel = new AbortController();
			if (when === 'before') cancel.abort();
			else setTimeout(() => cancel.abort(), 10);
			const work = async (signal: AbortSignal) =>
				await new Promise((_, reject) => {
					if (signal.aborted) reject(coded('ERR_CANCELED'));
					signal.addEventListener('abort', () => reject(coded('ERR_CANCELED')));
				});
			await expect(withTimeout(work, 5000, cancel.signal)).rejects.toMatchObject({
				code: 'ERR_CANCELED',
			});
		},
	);

	test('a hundred that wait for one signal make Node warn of nothing, and end with it', async () => {
		const warnings: Error[] = [];
		const note = (warning: Error) => void warnings.push(warning);
		process.on('warning', note);
		const cancel = new AbortController();
		const waits = Array.from({ length: 100 }, async () => await delay(30_000, cancel.signal));
		const calls = Array.from({ length: 100 }, async () =>
			settle(withTimeout(async () => await new Promise(() => {}), 30_000, cancel.signal)),
		);
		await delay(10);
		cancel.abort();
		expect(new Set(await Promise.all(waits))).toEqual(new Set([false]));
		for (const { ok } of await Promise.all(calls)) expect(ok).toBe(false);
		process.off('warning', note);
		expect(warnings).toEqual([]);
	});
});

test('work of one name is done one after another, however it ends', async () => {
	const turns = new KeyedMutex();
	const log: string[] = [];
	const work =
		(name: string, fails = false) =>
		async () => {
			log.push(`${name} begins`);
			await new Promise((resolve) => setImmediate(resolve));
			log.push(`${name} ends`);
			if (fails) throw new Error(name);
			return name;
		};
	const first = turns.run('a', work('first', true));
	const second = turns.run('a', work('second'));
	const other = turns.run('b', work('other'));
	await expect(first).rejects.toThrow('first');
	expect(await Promise.all([second, other])).toEqual(['second', 'other']);
	expect(log.filter((line) => !line.startsWith('other'))).toEqual([
		'first begins',
		'first ends',
		'second begins',
		'second ends',
	]);
	expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('first ends'));
});
