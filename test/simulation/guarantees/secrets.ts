import { allTextOf } from '../../support/errors';
import { owners } from '../service/contract';
import type { Simulation } from '../simulation';
import { Broken } from './broken';

/** The query parameters that contain a URL's secret. */
export const secretParameters = ['secret', 'signature'];

/** Returns everything that a run shows to users or that n8n stores, as text. */
function wordsOf(simulation: Simulation): Array<[where: string, words: string]> {
	const shown: Array<[string, string]> = [];
	for (const execution of simulation.executions) {
		const where = `execution ${execution.id}`;
		shown.push(
			[where, JSON.stringify(execution.data)],
			[where, execution.hints.map(({ message }) => message).join('\n')],
		);
		shown.push([where, allTextOf(execution.error, ['stack'])]);
	}
	for (const n8n of simulation.instances) {
		shown.push(['the log', n8n.logged.join('\n')]);
		shown.push(['an execution of the trigger', JSON.stringify(n8n.database.triggered)]);
	}
	for (const { workflow } of simulation.triggers) {
		shown.push(['the state of a trigger', JSON.stringify(workflow.staticData)]);
	}
	shown.push(['a response to a sender', simulation.guarantees.responses.join('\n')]);
	return shown;
}

/** Returns the API keys, the tokens, and the secrets in the registered URLs. */
function secretsOf({ service, instances }: Simulation): string[] {
	const own = service.registered.filter(({ webHookUrl }) =>
		instances.some(({ url }) => webHookUrl.startsWith(url)),
	);
	const parts = own.flatMap(({ webHookUrl }) => {
		const { searchParams } = new URL(webHookUrl);
		return secretParameters.map((name) => searchParams.get(name) ?? '');
	});
	const keys = owners.map(({ apiKey }) => apiKey);
	return [...keys, ...service.tokens, ...parts].filter(Boolean);
}

/** This many characters of a secret reveal too much, even if the rest was cut off. */
const telling = 12;

/** Checks that no secret appears in anything that a run shows or stores. */
export function checkSecrets(simulation: Simulation): void {
	const secrets = secretsOf(simulation);
	for (const [where, words] of wordsOf(simulation)) {
		const secret = secrets.find((known) => words.includes(known.slice(0, telling)));
		if (secret === undefined) continue;
		const at = words.indexOf(secret.slice(0, telling));
		throw new Broken(
			'Secrets never leak',
			`${where} contains ${secret.slice(0, 8)}…: …${words.slice(Math.max(0, at - 80), at + 20)}`,
		);
	}
}
