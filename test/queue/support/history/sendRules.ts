import type { DocumentEntry, Entry, OutputEntry, SendEntry } from './entries';
import { endOf, entriesOfExecution, isInterrupted, storeFailed, type Facts } from './facts';
import type { Rule } from './rules';
import { type Execution } from './factTypes';

/** What the history says of one key. */
interface Key {
	sends: SendEntry[];
	documents: DocumentEntry[];
	outputs: OutputEntry[];
	/** The executions that were asked to send it. */
	executions: Execution[];
}

const arranged = new WeakMap<Facts, Map<string, Key>>();

/** Every key that was asked for, or that the service or an output names. */
function keysOf(facts: Facts): Map<string, Key> {
	const known = arranged.get(facts);
	if (known) return known;
	const keys = new Map<string, Key>();
	const of = (key: string): Key => {
		const found = keys.get(key) ?? { sends: [], documents: [], outputs: [], executions: [] };
		keys.set(key, found);
		return found;
	};
	for (const { sends, executions } of facts.calls.values()) {
		for (const send of sends) {
			of(send.key).sends.push(send);
			of(send.key).executions.push(...executions);
		}
	}
	for (const document of facts.documents) of(document.key).documents.push(document);
	for (const { outputs } of facts.executions.values()) {
		for (const output of outputs) of(output.key).outputs.push(output);
	}
	arranged.set(facts, keys);
	return keys;
}

/** A rule about each key for itself. */
function keyRule(name: string, brokenBy: (key: Key, facts: Facts) => Entry[] | undefined): Rule {
	return {
		name,
		brokenBy(facts) {
			for (const key of keysOf(facts).values()) {
				const broken = brokenBy(key, facts);
				if (broken) return broken;
			}
			return undefined;
		},
	};
}

/** Whether an execution may have recorded a key without anybody learning how it went on. */
function mayHaveLeftOpen(facts: Facts, other: Execution, output: OutputEntry): boolean {
	if (other.started.execution === output.execution) {
		return storeFailed(facts, other.started.at, output.at);
	}
	const own = facts.executions.get(output.execution);
	if (other.started.at > output.at) return false;
	const atTheSameTime = endOf(other) >= (own?.started.at ?? output.at);
	return (
		atTheSameTime || isInterrupted(other) || storeFailed(facts, other.started.at, endOf(other))
	);
}

/** What docs/reliability.md promises for documents with a Send Once Key. */
export const sendRules: Rule[] = [
	keyRule('a key is never sent twice', ({ sends, documents }) =>
		documents.length > 1 ? [...sends, ...documents] : undefined,
	),
	keyRule('a document belongs to a key that was requested before', ({ sends, documents }) => {
		const [document] = documents;
		if (!document || sends.some(({ at }) => at <= document.at)) return undefined;
		return [...sends, document];
	}),
	keyRule(
		'a document that an output calls sent is at the service',
		({ sends, documents, outputs }) => {
			const wrong = outputs.find(({ result, document, at }) => {
				if (result !== 'created' && result !== 'skipped') return false;
				return !documents.some(
					(each) => each.at <= at && (document === undefined || each.document === document),
				);
			});
			return wrong && [...sends, wrong, ...documents];
		},
	),
	keyRule('for each key, at most one output says that its document was created', ({ outputs }) => {
		const created = outputs.filter(({ result }) => result === 'created');
		return created.length > 1 ? created.slice(0, 2) : undefined;
	}),
	keyRule(
		'a creation is output or reported as "may have been created", unless its execution crashed',
		({ sends, documents, outputs, executions }) => {
			const [document] = documents;
			const isSaid = outputs.some(
				({ result }) => result === 'created' || result === 'mayHaveBeenCreated',
			);
			if (!document || isSaid || executions.some(isInterrupted)) return undefined;
			return [...sends, ...executions.flatMap(entriesOfExecution), ...outputs, document];
		},
	),
	keyRule(
		'"may have been created" is reported only if something was interrupted or ran at the same time',
		({ outputs, executions }, facts) => {
			const wrong = outputs.find(
				(output) =>
					output.result === 'mayHaveBeenCreated' &&
					!executions.some((each) => mayHaveLeftOpen(facts, each, output)),
			);
			return wrong && [...executions.flatMap(entriesOfExecution), wrong];
		},
	),
	keyRule('an item fails only while a store is away', ({ outputs }, facts) => {
		const wrong = outputs.find(({ result, execution, at }) => {
			const begun = facts.executions.get(execution)?.started.at ?? at;
			return result === 'failed' && !storeFailed(facts, begun, at);
		});
		return wrong && [wrong];
	}),
	{
		name: 'an execution that succeeds says once for each key what happened to it',
		brokenBy({ executions }) {
			for (const execution of executions.values()) {
				if (isInterrupted(execution) || !execution.call) continue;
				const asked = execution.call.sends.map(({ key }) => key).sort();
				const said = execution.outputs.map(({ key }) => key).sort();
				const at = asked.findIndex((key, index) => key !== said[index]);
				if (at < 0 && asked.length === said.length) continue;
				const key = at < 0 ? said[asked.length] : asked[at];
				return [
					...entriesOfExecution(execution),
					...execution.call.sends.filter((each) => each.key === key),
					...execution.outputs.filter((each) => each.key === key),
				];
			}
			return undefined;
		},
	},
];
