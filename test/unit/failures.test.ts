import type { IExecuteFunctions } from 'n8n-workflow';

import { ServiceError } from '../../nodes/SignVerify/http/errors';
import { failureOfRun } from '../../nodes/SignVerify/operations/failures';
import type { ItemOutput } from '../../nodes/SignVerify/input/item';
import type { Settled } from '../../nodes/SignVerify/util/async';

const context = { getNode: () => ({ name: 'SignVerify' }) } as unknown as IExecuteFunctions;
const failed = (mayHaveCreated = false): Settled<never> => ({
	ok: false,
	error: new ServiceError({ message: 'It failed', description: 'Look.', mayHaveCreated }),
});

/** An ID as long as they are. */
const idOf = (index: number) => `document 65f1c0de0000000000${String(index).padStart(6, '0')}`;
const createdOf = (index: number): Settled<ItemOutput[]> => ({
	ok: true,
	value: [{ json: {}, created: idOf(index) }],
});
const skipped: Settled<ItemOutput[]> = { ok: true, value: [{ json: { skipped: true } }] };

const reportOf = (settled: Array<Settled<ItemOutput[]> | undefined>) =>
	String((failureOfRun(context, settled) as { description?: string } | undefined)?.description);

describe('what a run has created before it failed', () => {
	test('1,500 items of which the 1,201st fails: every created one is named', () => {
		const settled = Array.from({ length: 1500 }, (_, index) =>
			index < 1200 ? createdOf(index) : index === 1200 ? failed() : undefined,
		);
		const report = reportOf(settled);
		expect(report).toMatch(
			/^Look\. Created in this run \(1200\), do not send again: items 1 to 1200\. 299 of 1500 items were not started\. The service has document \S+ \(item 1\), .* and \d+ more\. <a /,
		);
		expect(report.length).toBeLessThan(10_500);
	});

	test('items that were skipped are not among them, and those that may have been are named likewise', () => {
		const settled = [
			createdOf(0),
			createdOf(1),
			skipped,
			failed(),
			createdOf(4),
			createdOf(5),
			createdOf(6),
			failed(true),
			failed(true),
			failed(),
			failed(true),
		];
		expect(reportOf(settled)).toContain(
			'Look at the service first, because it may have created items 8 to 9, 11. Created in this run (5), do not send again: items 1 to 2, 5 to 7. The service has ',
		);
	});

	test('one item is an item', () => {
		expect(reportOf([createdOf(0), failed(), failed(true)])).toContain(
			'may have created item 3. Created in this run (1), do not send again: item 1. The service has document 65f1c0de0000000000000000 (item 1). ',
		);
	});

	test('if every second item of 10,000 was skipped, it says that there are others', () => {
		const settled = Array.from({ length: 10_000 }, (_, index) =>
			index % 2 ? skipped : createdOf(index),
		);
		const report = reportOf([...settled, failed()]);
		expect(report).toMatch(
			/Created in this run \(5000\), do not send again: items 1, 3, 5, .*, and others\. The service has .*, and \d+ more\. <a /,
		);
		expect(report.length).toBeLessThan(10_500);
	});
});
