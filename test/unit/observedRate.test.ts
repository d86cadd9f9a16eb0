import { ObservedRate } from '../../nodes/SignVerify/transport/observedRate';

describe('the rate that a service allows', () => {
	/** So many calls a second, for so many seconds. */
	const pass = (rate: ObservedRate, perSecond: number, from: number, seconds: number): number => {
		const count = perSecond * seconds;
		for (let call = 1; call <= count; call++) rate.onSuccess(from + (call * 1000) / perSecond);
		return from + seconds * 1000;
	};

	test('is unlimited until the service says otherwise', () => {
		const rate = new ObservedRate();
		expect(rate.spacing(pass(rate, 50, 0, 3))).toBe(0);
	});

	test('is nine tenths of what passed in the last second', () => {
		const rate = new ObservedRate();
		const now = pass(rate, 50, 0, 3);
		rate.onLimit(now);
		expect(1000 / rate.spacing(now)).toBeCloseTo(45);
	});

	test('is counted back from the last pass, should the refusal be read late', () => {
		const rate = new ObservedRate();
		const now = pass(rate, 50, 0, 3) + 800;
		rate.onLimit(now);
		expect(1000 / rate.spacing(now)).toBeCloseTo(45);
	});

	test('is not learned from the first moments, in which another run may have taken its part', () => {
		const rate = new ObservedRate();
		rate.onLimit(0);
		const now = pass(rate, 50, 0, 0.5);
		rate.onLimit(now);
		expect(rate.spacing(now)).toBe(0);
	});

	test('grows, slowly at first, and soon after it has held for a while', () => {
		const rate = new ObservedRate();
		const now = pass(rate, 50, 0, 2);
		rate.onLimit(now);
		const after = (seconds: number) => 1000 / rate.spacing(now + seconds * 1000);
		expect(after(10)).toBeGreaterThan(45);
		expect(after(10)).toBeLessThan(50);
		expect(after(20)).toBeLessThan(50);
		expect(after(40)).toBeGreaterThan(120);
	});

	test('falls by a quarter at the most, and not twice for one storm', () => {
		const rate = new ObservedRate();
		let now = pass(rate, 50, 0, 2);
		rate.onLimit(now);
		now = pass(rate, 4, now, 1) + 1;
		rate.onLimit(now);
		const fallen = 1000 / rate.spacing(now);
		expect(fallen).toBeGreaterThan(33);
		expect(fallen).toBeLessThan(35);
		rate.onLimit(now + 500);
		expect(1000 / rate.spacing(now + 500)).toBeGreaterThanOrEqual(fallen);
	});
});
