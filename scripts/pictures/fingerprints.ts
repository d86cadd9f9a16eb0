import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { WorkflowInput } from '../../host/apiTypes';
import { fingerprint } from '../install.cjs';
import { root } from '../tools';

/** For each picture of an example, what its canvas showed when the picture was taken. */
const file = path.join(root, 'docs/images/fingerprints.json');

export function readFingerprints(): Record<string, string> {
	return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

/** Notes that the picture of an example has been taken of this workflow. */
export function noteFingerprint(example: string, workflow: WorkflowInput): void {
	write({ ...readFingerprints(), [example]: canvasFingerprint(workflow) });
}

/** Forgets the pictures of examples that are gone. @param examples Those that there are. */
export function keepFingerprints(examples: string[]): void {
	const all = Object.entries(readFingerprints());
	write(Object.fromEntries(all.filter(([example]) => examples.includes(example))));
}

function write(all: Record<string, string>): void {
	const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
	writeFileSync(file, `${JSON.stringify(sorted, null, '\t')}\n`);
}

/** Of what the canvas shows: nodes, where they are, what they do, the notes, and the connections. */
export function canvasFingerprint({ nodes, connections }: WorkflowInput): string {
	const shown = nodes.map(({ name, type, position, disabled, parameters }) => {
		const { resource, operation, content, width, height, color } = parameters;
		const words = { resource, operation, content, width, height, color };
		return { name, type, position, disabled, ...words };
	});
	return fingerprint(JSON.stringify([shown, connections])).slice(0, 12);
}
