import { runLoad } from '../../sandbox/load';

test('100 documents signed by three each: nothing lost, nothing twice, memory bounded', async () => {
	const report = await runLoad(100, 50_000);
	process.stdout.write(
		`Load: ${report.documentsPerSecond.toFixed(1)} documents a second, ${report.lost} of ${report.expected} notifications lost, heap ${report.heapMB.before.toFixed(0)} to ${report.heapMB.after.toFixed(0)} MB\n`,
	);
	expect(report).toMatchObject({ completed: 100, received: 700, lost: 0, repeated: 0 });
	expect(report.heapMB.after - report.heapMB.before).toBeLessThan(60);
}, 60_000);
