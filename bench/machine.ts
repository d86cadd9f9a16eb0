import os from 'node:os';

import type { HostInstallation } from '../host/install.cjs';

/** What a figure depends on, without anything that names the machine. */
export interface Machine {
	cores: number;
	processor: string;
	memoryGB: number;
	system: string;
	/** Of the sandbox. */
	node: string;
	n8n: string;
	/** Of n8n and of the bare client. */
	n8nNode: string;
	/** Processes that waited for a processor when it began, averaged over a minute. */
	load: number;
}

/** Describes this machine as it is now. */
export function describeMachine({ n8nVersion, nodeVersion }: HostInstallation): Machine {
	return {
		cores: os.cpus().length,
		processor: os.cpus()[0]?.model.trim() ?? 'unknown',
		memoryGB: Math.round(os.totalmem() / 1e9),
		system: `${os.platform()} ${os.arch()}`,
		node: process.versions.node,
		n8n: n8nVersion,
		n8nNode: nodeVersion,
		load: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
	};
}
