import { SingleFlight } from '../../nodes/SignVerify/util/singleFlight';
import { settle } from '../../nodes/SignVerify/util/async';

/** Counts how often the work starts. Each piece of work ends when its function is called. */
function started() {
	const ends: Array<(error?: Error) => void> = [];
	const start = async () => {
		const count = ends.length + 1;
		await new Promise<void>((resolve, reject) => {
			ends.push((error) => (error ? reject(error) : resolve()));
		});
		return count;
	};
	return { ends, start };
}

describe('A single flight', () => {
	test('starts the work once for all callers with the same key', async () => {
		const { ends, start } = started();
		const flight = new SingleFlight<number>();
		const results = ['a', 'a', 'b'].map(async (key) => await flight.run(key, start));
		for (const end of ends) end();
		expect(await Promise.all(results)).toEqual([1, 1, 2]);
	});

	test('starts the work again once it has ended', async () => {
		const { ends, start } = started();
		const flight = new SingleFlight<number>();
		const results: number[] = [];
		for (let count = 0; count < 2; count++) {
			const result = flight.run('a', start);
			for (const end of ends) end();
			results.push(await result);
		}
		expect(results).toEqual([1, 2]);
	});

	test('fails for all callers if the work fails, and then starts the work again', async () => {
		const { ends, start } = started();
		const flight = new SingleFlight<number>();
		const callers = [flight.run('a', start), flight.run('a', start)].map(settle);
		const error = new Error('no');
		ends[0]?.(error);
		expect(await Promise.all(callers)).toEqual([
			{ ok: false, error },
			{ ok: false, error },
		]);
		const next = flight.run('a', start);
		ends[1]?.();
		expect(await next).toBe(2);
	});
});
