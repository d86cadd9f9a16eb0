import { transform } from '@swc/core';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import type { ICredentialType, INodeType } from 'n8n-workflow';

/** The nodes and the credential as one process of n8n has loaded them, with memory of its own. */
export interface NodeCode {
	action: INodeType;
	trigger: INodeType;
	credential: ICredentialType;
}

/** A change of one source file, made before it is compiled: a fault that the simulation must find. */
export interface Patch {
	/** Below `nodes/SignVerify/`. */
	file: string;
	/** A piece of the source that stands there exactly once, and what stands there instead. */
	from: string;
	to: string;
}

const root = path.join(__dirname, '..', '..');
const sources = path.join(root, 'nodes', 'SignVerify');
const classes = {
	SignVerify: 'nodes/SignVerify/SignVerify.node',
	SignVerifyTrigger: 'nodes/SignVerify/SignVerifyTrigger.node',
	SignVerifyApi: 'credentials/SignVerifyApi.credentials',
};

/** A compiled source file, as Node wraps a module, with the MessageChannel that it finds. */
type Wrapped = (
	require: (name: string) => unknown,
	exports: object,
	module: { exports: object },
	channel: unknown,
) => void;

/**
 * Compiles what ships, so that each simulated process can load it anew within a millisecond.
 * @returns Loads it: each call gives modules that share no memory with those of another.
 * @throws Error when a patch does not fit the source.
 */
export async function compileNodes(patches: Patch[] = []): Promise<() => NodeCode> {
	const modules = new Map<string, Wrapped>();
	for (const file of await sourceFiles()) {
		modules.set(file.replace(/\.ts$/, ''), await compile(file, patches));
	}
	const require = createRequire(__filename);
	return () => {
		const loaded = new Map<string, { exports: object }>();
		const load = (name: string): object => {
			const file = modules.has(name) ? name : path.join(name, 'index');
			const wrapped = modules.get(file);
			if (!wrapped) throw new Error(`There is no ${file}.ts in what ships.`);
			let module = loaded.get(file);
			if (!module) {
				module = { exports: {} };
				loaded.set(file, module);
				const folder = path.dirname(file);
				const requireFrom = (name: string) =>
					name.startsWith('.') ? load(path.join(folder, name)) : (require(name) as unknown);
				wrapped(requireFrom, module.exports, module, Channel);
			}
			return module.exports;
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

async function sourceFiles(): Promise<string[]> {
	const inFolders = ['nodes', 'credentials'].map(async (name) => {
		const folder = path.join(root, name);
		const files = await readdir(folder, { recursive: true });
		return files.filter((file) => file.endsWith('.ts')).map((file) => path.join(folder, file));
	});
	return (await Promise.all(inFolders)).flat();
}

async function compile(file: string, patches: Patch[]): Promise<Wrapped> {
	let source = await readFile(file, 'utf8');
	for (const patch of patches.filter((each) => path.join(sources, each.file) === file)) {
		if (source.split(patch.from).length !== 2) {
			throw new Error(`The patch does not fit ${patch.file}:\n${patch.from}`);
		}
		source = source.replace(patch.from, () => patch.to);
	}
	const { code } = await transform(source, {
		filename: file,
		jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
		module: { type: 'commonjs' },
	});
	const script = new vm.Script(
		`(function (require, exports, module, MessageChannel) {${code}\n})`,
		{
			filename: path.relative(root, file),
		},
	);
	return script.runInThisContext() as Wrapped;
}

/**
 * Stands for Node's MessageChannel, with which the code lets the event loop turn: a message of a real
 * one comes at a moment that no seed decides.
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
