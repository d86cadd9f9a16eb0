import type { IdentityResults } from '../../sandbox/schemas';
import { signedIn, start, stopAll, type Answer } from './serviceKit';

afterEach(stopAll);

/** Requests a check, and ends it on its page as a script does. */
async function check() {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	await http.post('/identity/validation/request', {
		email: 'ana@example.com',
		type: 'FACE',
		backgroundCheck: false,
	});
	const [{ url, validationId } = { url: '', validationId: '' }] = sandbox.identityRequests();
	return {
		end: async (fields: Record<string, string>) => {
			const body = new URLSearchParams(fields);
			const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
			return { status: answer.status, text: await answer.text() };
		},
		page: async () => (await fetch(url)).text(),
		score: async () => {
			const path = `/identity/session/results/${validationId}`;
			const { data } = await http.get<Answer<IdentityResults>>(path);
			return data.responseData.results.score;
		},
	};
}

test('the scores that are set are in the results; the others fit the outcome', async () => {
	const { end, page, score } = await check();
	const fields = { 'score.liveness': '49.5', 'score.faceRecognition': '100' };
	expect((await end({ outcome: 'fail', ...fields })).status).toBe(303);
	expect(await score()).toMatchObject({
		idValidation: { overall: { value: 31, status: 'FAIL' } },
		liveness: {
			overall: { value: 49.5, status: 'FAIL' },
			digitalAttack: { status: 'FAIL' },
		},
		faceRecognition: { overall: { value: 100, status: 'OK' }, nameMatch: { status: 'OK' } },
		overall: { value: 60.2, status: 'FAIL' },
	});
	const text = (await page()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
	expect(text).toContain('This check is finished: failed');
	expect(text).toContain('Living person 49.5 of 100 Failed');
	expect(text).toContain('Face matches the ID 100 of 100 Passed');
});

test.each(['101', '-1', 'many', '1e999'])('a score of %s is refused', async (points) => {
	const { end, page } = await check();
	const { status, text } = await end({ outcome: 'fail', 'score.liveness': points });
	expect(status).toBe(422);
	expect(text).toContain('Living person: enter a score from 0 to 100, or leave it empty.');
	// What was entered is still there.
	expect(text).toMatch(new RegExp(`name="score.liveness"[^>]* value="${points}"`));
	expect(text).toMatch(/value="fail" checked/);
	expect(await page()).toContain('End the check');
});
