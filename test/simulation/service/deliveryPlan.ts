import fc from 'fast-check';

/** How one notification is delivered. */
export interface DeliveryWay {
	/**
	 * `soon`: when it gets its turn. `before`: at once, so that it can be there before the answer to
	 * the call that brings it about. `held`: when it is released. A number: so many milliseconds late.
	 */
	when: 'soon' | 'before' | 'held' | 'never' | number;
	/** Milliseconds after the first delivery began that a second one begins; null means none. */
	again: number | null;
}

/** How a service delivers. Nothing of it is documented. */
export interface DeliveryPlan {
	/** Of the first notification, the second, and so on; then from the start again. */
	ways: DeliveryWay[];
	/** Pauses (ms) before the tries after the first one, which follow any answer but 2xx. */
	retries: number[];
	/** Milliseconds that a receiver has for its answer. */
	timeLimit: number;
	/** Whether a second delivery or a further try says another moment (`addedOn`) than the first. */
	addedOnAgain: 'same' | 'new';
	/** Whether what is under way to a registration is delivered after its deletion. */
	toDeleted: boolean;
}

/** Each notification once, when it gets its turn, with a few tries. */
export const plainPlan: DeliveryPlan = {
	ways: [{ when: 'soon', again: null }],
	retries: [1000, 5000, 30_000],
	timeLimit: 10_000,
	addedOnAgain: 'same',
	toDeleted: false,
};

const manyRetries = [500, 2000, 5000, 15_000, 60_000, 120_000, 300_000, 600_000];

const way: fc.Arbitrary<DeliveryWay> = fc.record({
	when: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 4, arbitrary: fc.constant<DeliveryWay['when']>('soon') },
		{
			weight: 4,
			arbitrary: fc.constantFrom<DeliveryWay['when'][]>('before', 'held', 3000, 90_000),
		},
		{ weight: 1, arbitrary: fc.constant<DeliveryWay['when']>('never') },
	),
	again: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant(null) },
		{ weight: 2, arbitrary: fc.constantFrom(0, 2000, 120_000) },
	),
});

/** Plans, shrinking towards the plain one. */
export const deliveryPlanArbitrary: fc.Arbitrary<DeliveryPlan> = fc.record({
	ways: fc.array(way, { minLength: 1, maxLength: 4 }),
	retries: fc.constantFrom(plainPlan.retries, manyRetries, []),
	timeLimit: fc.constantFrom(plainPlan.timeLimit, 3000),
	addedOnAgain: fc.constantFrom<DeliveryPlan['addedOnAgain'][]>('same', 'same', 'same', 'new'),
	toDeleted: fc.constantFrom(false, true),
});

/** Milliseconds after which a notification that is not held has been delivered or given up. */
export function maxDeliveryTime({ ways, retries, timeLimit }: DeliveryPlan): number {
	const lateness = ways.map(
		({ when, again }) => (typeof when === 'number' ? when : 0) + (again ?? 0),
	);
	const pauses = retries.reduce((sum, each) => sum + each, 0);
	return Math.max(...lateness) + pauses + timeLimit * (retries.length + 1);
}
