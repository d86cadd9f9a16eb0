import { build, type Plugin } from 'esbuild';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import type { ICredentialType, INodeType } from 'n8n-workflow';

import type { PlantedFault } from './planted/fault';

/** The nodes and the credential as one process of n8n has loaded them, with memory of its own. */
export interface NodeCode {
	action: INodeType;
	trigger: INodeType;
	credential: ICredentialType;
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
 * @param fault What the code is to do wrong.
 * @returns Loads it: each call gives modules that share no memory with those of another.
 * @throws Error if no code uses the module of the fault.
 */
export async function compileNodes(fault?: PlantedFault): Promise<() => NodeCode> {
	const { outputFiles, metafile } = await build({
		stdin: { contents: entry, resolveDir: root, loader: 'ts' },
		bundle: true,
		metafile: true,
		write: false,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		external: ['n8n-workflow'],
		logLevel: 'silent',
		plugins: fault ? [planting(fault)] : [],
	});
	if (fault && !Object.keys(metafile.inputs).some((file) => file.startsWith(`${wrongly}:`))) {
		throw new Error(`No code uses ${fault.module}, which "${fault.name}" is to break.`);
	}
	const code = outputFiles[0]?.text ?? '';
	const parameters = 'require, exports, module, MessageChannel, wrong';
	const script = new vm.Script(`(function (${parameters}) {${code}\n})`, { filename: 'nodes.js' });
	const start = script.runInThisContext() as Start;
	const require = createRequire(__filename);
	return () => {
		const module = { exports: {} as Exports };
		start(require, module.exports, module, Channel, fault?.wrong);
		const { SignVerify, SignVerifyTrigger, SignVerifyApi } = module.exports;
		return {
			action: new SignVerify(),
			trigger: new SignVerifyTrigger(),
			credential: new SignVerifyApi(),
		};
	};
}

/** The namespace of the module that stands in for the one with a fault. */
const wrongly = 'wrongly';

/** Everybody who imports the module of a fault gets another one, which replaces some of its exports. */
function planting({ module, wrong }: PlantedFault): Plugin {
	const file = path.join(sources, `${module}.ts`);
	const replaced = Object.keys(wrong).map(
		(name) => `export const ${name} = wrong.${name}(right.${name});`,
	);
	return {
		name: 'planted fault',
		setup({ onResolve, onLoad }) {
			onResolve({ filter: /^\./ }, ({ path: imported, importer, namespace, resolveDir }) => {
				const isItsOwn = namespace === wrongly || importer === file;
				if (isItsOwn || `${path.join(resolveDir, imported)}.ts` !== file) return undefined;
				return { path: file, namespace: wrongly };
			});
			onLoad({ filter: /.*/, namespace: wrongly }, () => ({
				contents: [
					`export * from './${path.basename(module)}';`,
					`import * as right from './${path.basename(module)}';`,
					...replaced,
				].join('\n'),
				resolveDir: path.dirname(file),
			}));
		},
	};
}

interface Exports {
	SignVerify: new () => INodeType;
	SignVerifyTrigger: new () => INodeType;
	SignVerifyApi: new () => ICredentialType;
}

type Start = (
	require: NodeJS.Require,
	exports: Exports,
	module: object,
	channel: unknown,
	wrong: PlantedFault['wrong'] | undefined,
) => void;

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
