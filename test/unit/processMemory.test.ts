import { clearAll, ProcessMemory } from '../../nodes/SignVerify/util/processMemory';

let now = 1000;
beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => jest.restoreAllMocks());

describe('A process memory', () => {
	test('evicts the oldest entry to make room for a new one', () => {
		const memory = new ProcessMemory<number>({ bound: 2 });
		memory.set('one', 1);
		memory.set('two', 2);
		memory.set('one', 11);
		memory.set('three', 3);
		expect(memory.get('one')).toBe(11);
		expect(memory.has('two')).toBe(false);
		expect(memory.get('three')).toBe(3);
	});

	test('removes expired entries', () => {
		const memory = new ProcessMemory<number>({ bound: 9, lifeMs: 60_000 });
		memory.set('one', 1);
		now += 59_999;
		expect(memory.get('one')).toBe(1);
		now += 1;
		expect(memory.get('one')).toBeUndefined();
	});

	test('keeps an entry while its work is running, and starts the expiration timer when the work ends', () => {
		const memory = new ProcessMemory<object>({ bound: 9, lifeMs: 60_000 });
		const work = {};
		memory.set('one', work, Infinity);
		now += 1_000_000;
		expect(memory.get('one')).toBe(work);
		memory.endIn('one', work);
		now += 59_999;
		expect(memory.get('one')).toBe(work);
		memory.endIn('one', work, 0);
		expect(memory.has('one')).toBe(false);
	});

	test("keeps a newer entry when the replaced entry's work ends", () => {
		const memory = new ProcessMemory<object>({ bound: 9 });
		const first = {};
		const second = {};
		memory.set('one', first);
		memory.set('one', second);
		memory.endIn('one', first, 0);
		expect(memory.get('one')).toBe(second);
	});

	test('ignores work that ends after its entry has been evicted', () => {
		const memory = new ProcessMemory<object>({ bound: 1, lifeMs: 60_000 });
		const [first, second] = [{}, {}];
		memory.set('one', first, Infinity);
		memory.set('two', second, Infinity);
		memory.endIn('one', first);
		expect(memory.has('one')).toBe(false);
		now += 60_000;
		expect(memory.get('two')).toBe(second);
	});

	test('is cleared together with all other memories', () => {
		const memory = new ProcessMemory<number>({ bound: 3 });
		memory.set('one', 1);
		clearAll();
		expect(memory.has('one')).toBe(false);
	});
});
