import type { Live, Sent } from './live';
import { problems, type Row, type Shape } from './shapes';

/** What holds the service to one row. */
export type Check = Row['check'];
type CallName = keyof Live['calls'];

/** The call was made at this method and path, and answered well. */
export const at =
	(name: CallName, method: string, path: string | RegExp): Check =>
	({ calls }) => {
		const { request, status } = calls[name];
		expect(request.method).toBe(method);
		if (typeof path === 'string') expect(request.path).toBe(path);
		else expect(request.path).toMatch(path);
		expect(status).toBe(200);
		expect(request.violation).toBeUndefined();
	};

/** The answer's data has this shape, and its message is this one. */
export const answers =
	(name: CallName, shape: Shape, message?: string): Check =>
	({ calls }) => {
		const { body } = calls[name];
		expect(problems(shape, [body.responseData])).toEqual([]);
		expect(body.message).toBe(message);
		expect(body).toMatchObject({ success: true, responseCode: 200 });
	};

/** The call is answered well with this data and this message, and breaks nothing of the contract. */
export const answersTo =
	(method: string, path: string, shape: Shape, message?: string): Check =>
	async (live) => {
		const { status, body, request } = await live.send(method, path, {});
		expect([status, request.violation]).toEqual([200, undefined]);
		expect(problems(shape, [body.responseData])).toEqual([]);
		expect(body.message).toBe(message);
		expect(body).toMatchObject({ success: true, responseCode: 200 });
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

/** The body's fields arrived as they were sent. */
export const took =
	(name: CallName, ...fields: string[]): Check =>
	({ calls }) => {
		expect(Object.keys(calls[name].request.body as object).sort()).toEqual(fields.sort());
	};
