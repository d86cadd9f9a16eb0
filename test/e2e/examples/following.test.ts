import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { clientOf, identityFinished } from '../../support/credentials';
import { own } from './runStage';
import { following, rowsOf } from './table/days';
import { followers } from './table/followers';
import { runFollowing } from './table/runFollowing';

// Somebody who gets all events, so that a test can deliver them as it likes.
const recorder = createServer((_request, answer) => answer.end());
beforeAll(async () => {
	await new Promise<void>((done) => recorder.listen(0, '127.0.0.1', done));
	const url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}/`;
	const events = ['sendDocument', 'signDocument', 'completedDocument', identityFinished];
	for (const event of events) await clientOf(own.stage.sandbox).registerWebhook(event, url);
});
afterAll(() => void recorder.close());
afterEach(own.unpublish);

test.each(rowsOf(following))('$file: $day', async ({ file, day, tag, expected }) => {
	const example = followers[file];
	if (!example) throw new Error(`There is no ${file} in followers.ts.`);
	await runFollowing(example, day, tag, expected);
});
