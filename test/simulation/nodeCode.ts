import { build, type Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
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

/** A change of one source file, made while it is bundled: a fault that the simulation must find. */
export interface Patch {
	/** Below `nodes/SignVerify/`. */
	file: string;
	/** A piece of the source that stands there exactly once, and what stands there instead. */
	from: string;
	to: string;
}

const root = path.join(__dirname, '..', '..');
const sources = path.join(root, 'nodes', 'SignVerify');

const entry = `
export { SignVerify } from './nodes/SignVerify/SignVerify.node';
export { SignVerifyTrigger } from './nodes/SignVerify/SignVerifyTrigger.node';
export { SignVerifyApi } from './credentials/SignVerifyApi.credentials';
`;

/**
 * Bundles what ships, so that each simulated process can load it anew within a millisecond.
 * @returns Loads it: each call gives modules that share no memory with those of another.
 * @throws Error when a patch does not fit the source.
 */
export async function compileNodes(patches: Patch[] = []): Promise<() => NodeCode> {
	const applied = new Set<Patch>();
	const { outputFiles } = await build({
		stdin: { contents: entry, resolveDir: root, loader: 'ts' },
		bundle: true,
		write: false,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		external: ['n8n-workflow'],
		logLevel: 'silent',
		plugins: patches.length > 0 ? [patching(patches, applied)] : [],
	});
	const missing = patches.find((patch) => !applied.has(patch));
	if (missing) throw new Error(`The patch does not fit ${missing.file}:\n${missing.from}`);
	const code = outputFiles[0]?.text ?? '';
	const script = new vm.Script(
		`(function (require, exports, module, MessageChannel) {${code}\n})`,
		{
			filename: 'nodes.js',
		},
	);
	const start = script.runInThisContext() as Start;
	const require = createRequire(__filename);
	return () => {
		const module = { exports: {} as Exports };
		start(require, module.exports, module, Channel);
		const { SignVerify, SignVerifyTrigger, SignVerifyApi } = module.exports;
		return {
			action: new SignVerify(),
			trigger: new SignVerifyTrigger(),
			credential: new SignVerifyApi(),
		};
	};
}

interface Exports {
	SignVerify: new () => INodeType;
	SignVerifyTrigger: new () => INodeType;
	SignVerifyApi: new () => ICredentialType;
}

type Start = (require: NodeJS.Require, exports: Exports, module: object, channel: unknown) => void;

function patching(patches: Patch[], applied: Set<Patch>): Plugin {
	return {
		name: 'patches',
		setup({ onLoad }) {
			onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
				const own = patches.filter((patch) => path.join(sources, patch.file) === file);
				if (own.length === 0) return undefined;
				let contents = await readFile(file, 'utf8');
				for (const patch of own) {
					if (contents.split(patch.from).length !== 2) continue;
					contents = contents.replace(patch.from, () => patch.to);
					applied.add(patch);
				}
				return { contents, loader: 'ts' };
			});
		},
	};
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
