import fc from 'fast-check';

import { differences, nameMark, withNames } from './comparison';
import type { ServiceAnswer, ServiceRequest } from './contract';
import type { BiometricEvent } from './notifications';
import { badCalls, callers, exchanges, goodCalls, requestOf, type Caller } from './requests';
import type { Received, Side } from './sides';

/** One thing that happens to the service. */
export type Step =
	| { do: 'exchange'; how: string }
	| { do: 'call'; what: string; pick: number; caller: Caller }
	| { do: 'sign'; pick: number; who: number }
	| { do: 'report'; pick: number; event: BiometricEvent }
	| { do: 'open'; pick: number }
	| { do: 'finish'; pick: number; score: 'pass' | 'fail' };

const pick = fc.nat(5);

/** Anything that can happen, right calls most often. */
export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({
			do: fc.constant('call' as const),
			what: fc.constantFrom(...Object.keys(goodCalls)),
			pick,
			caller: fc.constant<Caller>('newest'),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('call' as const),
			what: fc.constantFrom(...Object.keys(goodCalls), ...Object.keys(badCalls)),
			pick,
			caller: fc.constantFrom(...(Object.keys(callers) as Caller[])),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('exchange' as const),
			how: fc.constantFrom('right', ...Object.keys(exchanges)),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({ do: fc.constant('sign' as const), pick, who: fc.nat(1) }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('report' as const),
			pick,
			event: fc.constantFrom<BiometricEvent[]>(
				...(['pendingBiometric', 'failedBiometric', 'failedBiometricRequest'] as const),
			),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('open' as const), pick }) },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('finish' as const),
			pick,
			score: fc.constantFrom('pass' as const, 'fail' as const),
		}),
	},
);

/** The model and the sandbox, to which the same is done. */
export class Pair {
	/** The events that arrived at the model's receivers so far. */
	readonly arrived: string[] = [];

	private readonly tokens: [string[], string[]] = [[], []];

	constructor(
		readonly model: Side,
		readonly sandbox: Side,
		private readonly receiver: string,
	) {}

	/** Does the same to both; says how they differ: in the answer, in what arrives, in what there is. */
	async differencesAfter(step: Step): Promise<string[]> {
		const [model, sandbox] = [
			await this.take(this.model, step),
			await this.take(this.sandbox, step),
		];
		const arrived = [await arrivedAt(this.model), await arrivedAt(this.sandbox)] as const;
		this.arrived.push(...arrived[0].map(({ body }) => String(body.type)));
		return [
			...this.compare(contentOf(model), contentOf(sandbox), 'the answer'),
			...this.compare(...arrived, 'arrived'),
			...this.compare(this.model.state(), this.sandbox.state(), 'there is'),
		].map((each) => `${JSON.stringify(step)}: ${each}`);
	}

	/** Makes the same call to both; gives both answers. */
	async answers(
		what: string,
		caller: Caller = 'newest',
		number = 0,
	): Promise<[ServiceAnswer, ServiceAnswer]> {
		const step: Step = { do: 'call', what, pick: number, caller };
		const model = await this.take(this.model, step);
		const sandbox = await this.take(this.sandbox, step);
		if (!model || !sandbox) throw new Error(`${what} is no call`);
		return [model, sandbox];
	}

	private compare(model: unknown, sandbox: unknown, title: string): string[] {
		const names = [namesOf(this.model), namesOf(this.sandbox)] as const;
		const found = differences(withNames(model, names[0]), withNames(sandbox, names[1]));
		return found.map((each) => `${title}: ${each}`);
	}

	private async take(side: Side, step: Step): Promise<ServiceAnswer | undefined> {
		const { documents, identities } = side.ids;
		const at = (ids: string[], number: number) => ids[number % Math.max(1, ids.length)];
		switch (step.do) {
			case 'exchange':
				return await this.exchange(side, exchanges[step.how]!);
			case 'call': {
				const make = goodCalls[step.what] ?? badCalls[step.what]!;
				const call = make({ side, pick: step.pick, receiver: this.receiver });
				return await side.call(requestOf(call, this.tokensOf(side), step.caller));
			}
			case 'sign': {
				const id = at(documents, step.pick);
				if (id !== undefined) await side.sign(id, step.who);
				return undefined;
			}
			case 'report': {
				const id = at(documents, step.pick);
				if (id !== undefined) await side.report(id, step.event);
				return undefined;
			}
			case 'open':
			case 'finish': {
				const id = at(identities, step.pick);
				if (id === undefined) return undefined;
				if (step.do === 'open') await side.open(id);
				else await side.finish(id, step.score);
				return undefined;
			}
		}
	}

	private tokensOf(side: Side): string[] {
		return this.tokens[side === this.model ? 0 : 1];
	}

	private async exchange(side: Side, request: ServiceRequest): Promise<ServiceAnswer> {
		const answer = await side.call(request);
		const { responseData } = answer.body as { responseData?: { accessToken?: string } };
		const token = responseData?.accessToken;
		if (token !== undefined) this.tokensOf(side).push(token);
		return answer;
	}
}

/** What of an answer is compared; the words of a refusal are each one's own. */
function contentOf(answer: ServiceAnswer | undefined): unknown {
	if (!answer) return null;
	const { status, body, headers } = answer;
	const isRefusal = (body as { success?: boolean }).success === false;
	return {
		status,
		contentType: headers?.['content-type']?.split(';')[0] ?? '',
		retryAfter: headers?.['retry-after'] ?? '',
		body: isRefusal ? { ...(body as object), message: typeof (body as Words).message } : body,
	};
}

type Words = { message?: unknown };

/** What arrived, by address: what goes to different addresses has no order. */
async function arrivedAt(side: Side): Promise<Received[]> {
	const arrived = await side.received();
	const group = ({ address, body }: Received) => `${address} ${String(body.type)}`;
	return arrived.sort((left, right) => group(left).localeCompare(group(right)));
}

function namesOf({ ids, templates }: Side): Map<string, string> {
	const lists = { ...ids, templates: Object.values(templates).map(({ id }) => id) };
	return new Map(
		Object.entries(lists).flatMap(([kind, list]) =>
			list.map((id, index): [string, string] => [id, `${nameMark}${kind} ${index}`]),
		),
	);
}
