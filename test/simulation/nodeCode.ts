import { transform } from '@swc/core';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import type { ICredentialType, INodeType } from 'n8n-workflow';

import type { NodeCode } from '../n8n/surroundings';
import type { SeededBug } from './seededBugs/bugs';

const root = path.join(__dirname, '..', '..');
const sources = path.join(root, 'nodes', 'SignVerify');
const classes = {
	SignVerify: 'nodes/SignVerify/SignVerify.node',
	SignVerifyTrigger: 'nodes/SignVerify/SignVerifyTrigger.node',
	SignVerifyApi: 'credentials/SignVerifyApi.credentials',
};

/**
 * A compiled source file, wrapped in a function the way Node wraps modules. MessageChannel is an additional
 * parameter, so that it can be replaced.
 */
type Wrapped = (
	require: (name: string) => unknown,
	exports: object,
	module: { exports: object },
	channel: unknown,
) => void;

/**
 * Compiles the shipped code so that each simulated process can load it again within a millisecond.
 * @param bug The bug to seed in the code.
 * @returns A function that loads the code. Modules loaded by different calls share no memory.
 * @throws Error if the bug's module does not exist.
 */
export async function compileNodes(bug?: SeededBug): Promise<() => NodeCode> {
	const modules = new Map<string, Wrapped>();
	for (const file of await sourceFiles()) {
		modules.set(file.replace(/\.ts$/, ''), await compile(file));
	}
	const wrongFile = bug && path.join(sources, bug.module);
	if (wrongFile && !modules.has(wrongFile)) {
		throw new Error(
			`Module ${bug.module} not found, so the bug "${bug.name}" can't be seeded in it.`,
		);
	}
	const require = createRequire(__filename);
	return () => {
		const loaded = new Map<string, object>();
		const load = (name: string): object => {
			const file = modules.has(name) ? name : path.join(name, 'index');
			const known = loaded.get(file);
			if (known) return known;
			const wrapped = modules.get(file);
			if (!wrapped) throw new Error(`The package doesn't contain ${file}.ts.`);
			const module = { exports: {} };
			loaded.set(file, module.exports);
			const requireFrom = (imported: string) =>
				imported.startsWith('.')
					? load(path.join(path.dirname(file), imported))
					: (require(imported) as unknown);
			wrapped(requireFrom, module.exports, module, Channel);
			// Every module that imports the buggy module gets the wrong exports. The buggy module itself
			// keeps the real ones.
			if (file === wrongFile) loaded.set(file, { ...module.exports, ...wrongExports(bug, module) });
			return loaded.get(file) ?? module.exports;
		};
		const make = <Instance>(name: keyof typeof classes) => {
			const exported = load(path.join(root, classes[name])) as Record<string, new () => Instance>;
			return new (exported[name] as new () => Instance)();
		};
		return {
			action: make<INodeType>('SignVerify'),
			trigger: make<INodeType>('SignVerifyTrigger'),
			credential: make<ICredentialType>('SignVerifyApi'),
		};
	};
}

function wrongExports(bug: SeededBug | undefined, module: { exports: object }): object {
	const right = module.exports as Record<string, never>;
	return Object.fromEntries(
		Object.entries(bug?.wrong ?? {}).map(([name, wrong]) => [name, wrong(right[name] as never)]),
	);
}

async function sourceFiles(): Promise<string[]> {
	const inFolders = ['nodes', 'credentials'].map(async (name) => {
		const folder = path.join(root, name);
		const files = await readdir(folder, { recursive: true });
		return files.filter((file) => file.endsWith('.ts')).map((file) => path.join(folder, file));
	});
	return (await Promise.all(inFolders)).flat();
}

async function compile(file: string): Promise<Wrapped> {
	const { code } = await transform(await readFile(file, 'utf8'), {
		filename: file,
		jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
		module: { type: 'commonjs' },
	});
	const script = new vm.Script(
		`(function (require, exports, module, MessageChannel) {${code}\n})`,
		{ filename: path.relative(root, file) },
	);
	return script.runInThisContext() as Wrapped;
}

/**
 * Replaces Node's MessageChannel, through which the code yields to the event loop. The seed does not
 * determine when real messages arrive, so a failure that depends on them could not be replayed.
 */
class Channel {
	readonly port1 = new Port();

	readonly port2 = { postMessage: (value: unknown) => this.port1.receive(value) };
}

class Port {
	private listener: ((value: unknown) => void) | undefined;

	once(_event: 'message', listener: (value: unknown) => void): void {
		this.listener = listener;
	}

	receive(value: unknown): void {
		queueMicrotask(() => this.listener?.(value));
	}

	close(): void {
		this.listener = undefined;
	}
}
