import fc, { type AsyncCommand } from 'fast-check';

import { faultArbitrary, type Fault } from './faults';
import type { Simulation } from './simulation';

/**
 * fast-check's model of a command-based test. It is empty, because the simulation itself tracks its state.
 */
export type Model = Record<string, never>;
type SimulationCommand = AsyncCommand<Model, Simulation>;

/**
 * Makes a command from its name, its action and the arbitraries for its values. After the action, the rest of
 * the simulation advances by a random number of steps before the next command runs. If that number is small,
 * the next command interrupts running work.
 */
function command<Values extends unknown[]>(
	name: string,
	act: (simulation: Simulation, ...values: Values) => void | Promise<void>,
	...arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> }
): fc.Arbitrary<SimulationCommand> {
	return fc.tuple(stepsArbitrary, fc.tuple(...arbitraries)).map(([steps, values]) => {
		const given = values.map((value) => JSON.stringify(value)).join(', ');
		const title = `${name}(${given})${steps === many ? '' : `, then ${steps} steps`}`;
		return {
			check: () => true,
			toString: () => title,
			async run(_model, simulation) {
				simulation.world.note(`> ${title}`);
				await act(simulation, ...(values as unknown as Values));
				await simulation.world.advance(steps, 120_000);
				simulation.guarantees.check();
			},
		};
	});
}

/** Enough steps for all running work to end. */
const many = 100_000;

const stepsArbitrary = fc.oneof(
	{ weight: 2, arbitrary: fc.constant(many) },
	{ weight: 3, arbitrary: fc.nat(40) },
);

/** Chooses the newest object, or one created shortly before it. */
const which = fc.oneof(fc.constant(0), fc.nat(3));

/**
 * Chooses a duration (ms): from five seconds to about an hour, or 40 days, which exceeds any time limit and
 * any link's lifetime.
 */
const time = fc.constantFrom(5_000, 61_000, 301_000, 3_700_000, 40 * 86_400_000);

/** Every possible action by users, n8n's operators and the service, and every fault. */
export const commandsArbitrary: Array<fc.Arbitrary<SimulationCommand>> = [
	command('run a workflow', (simulation, index: number) => simulation.start(index), which),
	command('run a workflow', (simulation, index: number) => simulation.start(index), which),
	command('everyone signs', (simulation, index: number) => simulation.sign(index), which),
	command('everyone signs', (simulation, index: number) => simulation.sign(index), which),
	command('everyone signs', (simulation, index: number) => simulation.sign(index), which),
	command(
		'a document gets a status that no one knows',
		(simulation, index: number, status: string) => simulation.reportStatus(index, status),
		which,
		fc.constantFrom('ARCHIVED', 'SIGNED', 'IN REVIEW'),
	),
	command(
		'finish an identity verification',
		(simulation, index: number) => simulation.finishIdentity(index),
		which,
	),
	command(
		'finish an identity verification whose result cannot be read yet',
		(simulation, index: number, kind: Fault['kind']) => {
			simulation.addTrouble({ on: 'read', kind, after: 0, times: 0 });
			simulation.finishIdentity(index);
		},
		which,
		fc.constantFrom<Fault['kind']>('exchangeRefused', 'exchangeMissing', 'missingPage'),
	),
	command('time passes', async (simulation, ms: number) => await simulation.world.pass(ms), time),
	command(
		'set a fault',
		(simulation, fault: Fault) => simulation.addTrouble(fault),
		faultArbitrary,
	),
	command(
		'set a fault',
		(simulation, fault: Fault) => simulation.addTrouble(fault),
		faultArbitrary,
	),
	command('clear all faults', (simulation) => simulation.network.faults.mend()),
	command('kill a process', (simulation, index: number) => simulation.kill(index), which),
	command('start a process', (simulation, index: number) => simulation.restart(index), which),
	command('stop an execution', (simulation, index: number) => simulation.stop(index), which),
	command(
		'retry an execution',
		(simulation, index: number, saved: boolean) => simulation.retry(index, saved),
		which,
		fc.boolean(),
	),
	command('publish', (simulation, index: number) => simulation.publish(index, true), which),
	command('unpublish', (simulation, index: number) => simulation.publish(index, false), which),
	command(
		'change events and publish',
		(simulation, index: number, events: string[], beside: number | null) =>
			simulation.republish(index, events, beside),
		which,
		fc.subarray(['completedDocument', 'signDocument', 'VERIFICATION_REQUEST_FINISHED'], {
			minLength: 1,
		}),
		fc.constantFrom(null, null, 5_000, 70_000),
	),
	command(
		'choose the other account and publish',
		(simulation, index: number) => simulation.republish(index, undefined, null, true),
		which,
	),
	command(
		'copy and publish',
		(simulation, index: number, elsewhere: boolean) => simulation.copy(index, elsewhere),
		which,
		fc.boolean(),
	),
	command(
		'another node stores static data',
		(simulation, index: number, lasting: number) => simulation.storeBeside(index, lasting),
		which,
		fc.constantFrom(0, 5_000, 70_000),
	),
	command('deliver the events that were held back', (simulation) =>
		simulation.deliveries.release(),
	),
	command(
		'disturb the database of n8n',
		(simulation, index: number, starts: Array<'refused' | 'slow'>) =>
			simulation.troubleStarts(index, starts),
		which,
		fc.array(fc.constantFrom<'refused' | 'slow'>('refused', 'slow'), {
			minLength: 1,
			maxLength: 3,
		}),
	),
	command('forge an event', (simulation, index: number) => simulation.forge(index), which),
	command('test a URL', (simulation, index: number) => simulation.testUrl(index), which),
];
