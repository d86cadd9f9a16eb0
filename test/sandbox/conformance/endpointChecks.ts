import type { EndpointName } from '../../../sandbox/contract/endpoints';
import type { Call, Live, Sent } from './live';
import { problems, type Row, type Shape } from './shapes';

/** What holds the service to one row. */
export type Check = Row['check'];

/** The good call to an endpoint. @throws Error that says where to add one. */
export function callTo({ calls }: Live, name: EndpointName): Call {
	if (name in calls) return calls[name];
	throw new Error(`${name} is never called: add a call to test/sandbox/conformance/live.ts`);
}

/** The answer's data has this shape; its message is this one, if the page does not say it. */
export const answers =
	(name: EndpointName, shape: Shape, message?: string): Check =>
	(live) => {
		const { body } = callTo(live, name);
		expect(problems(shape, [body.responseData])).toEqual([]);
		if (message !== undefined) expect(body.message).toBe(message);
	};

/** Each of these calls is refused as one that breaks the contract. */
export const refused =
	(method: string, path: string, ...wrong: Array<Sent | ((live: Live) => Sent)>): Check =>
	async (live) => {
		for (const sent of wrong) {
			const call = await live.send(method, path, typeof sent === 'function' ? sent(live) : sent);
			expect([sent, call.status]).toEqual([sent, expect.any(Number)]);
			expect(call.status).toBeGreaterThanOrEqual(400);
			expect(call.body).toMatchObject({ success: false, responseCode: call.status });
			expect(call.request.violation).toBeTruthy();
		}
	};

export const both =
	(...checks: Check[]): Check =>
	async (live) => {
		for (const check of checks) await check(live);
	};
