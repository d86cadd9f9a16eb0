import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { WorkflowInput } from '../../host/apiTypes';
import { fingerprint } from '../install.cjs';
import { picturesFolder } from './folder';

/**
 * This file contains a fingerprint for each example's picture. The fingerprint is a hash of the canvas that
 * the picture shows.
 */
const file = () => path.join(picturesFolder(), 'fingerprints.json');

export function readFingerprints(): Record<string, string> {
	if (!existsSync(file())) return {};
	return JSON.parse(readFileSync(file(), 'utf8')) as Record<string, string>;
}

/** Stores the fingerprint of the workflow that an example's current picture shows. */
export function noteFingerprint(example: string, workflow: WorkflowInput): void {
	write({ ...readFingerprints(), [example]: canvasFingerprint(workflow) });
}

/**
 * Removes the fingerprints of examples that no longer exist.
 * @param examples The existing examples.
 */
export function keepFingerprints(examples: string[]): void {
	const all = Object.entries(readFingerprints());
	write(Object.fromEntries(all.filter(([example]) => examples.includes(example))));
}

function write(all: Record<string, string>): void {
	const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
	writeFileSync(file(), `${JSON.stringify(sorted, null, '\t')}\n`);
}

/**
 * Returns a hash of everything that the canvas shows: the nodes with their positions and operations, the
 * notes, and the connections.
 */
export function canvasFingerprint({ nodes, connections }: WorkflowInput): string {
	const shown = nodes.map(({ name, type, position, disabled, parameters }) => {
		const { resource, operation, content, width, height, color } = parameters;
		const words = { resource, operation, content, width, height, color };
		return { name, type, position, disabled, ...words };
	});
	return fingerprint(JSON.stringify([shown, connections])).slice(0, 12);
}
