import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { firstExamples } from '../../host/setUp';
import { fingerprint } from '../install.cjs';
import { filmName, picturesFolder, resultPrefix } from './folder';

/**
 * This file contains a fingerprint for each picture of an example. For a canvas, its key is the example's name, and
 * it's a hash of what the canvas shows. For any other picture, its key is the picture's name, and it's a hash of what
 * the examples in the picture do.
 */
const file = () => path.join(picturesFolder(), 'fingerprints.json');

export function readFingerprints(): Record<string, string> {
	if (!existsSync(file())) return {};
	return JSON.parse(readFileSync(file(), 'utf8')) as Record<string, string>;
}

/** Stores the fingerprint of what a picture shows now. */
export function noteFingerprint(key: string, shown: string): void {
	write({ ...readFingerprints(), [key]: shown });
}

/** Removes the fingerprints that aren't current. */
export function keepFingerprints(isCurrent: (key: string) => boolean): void {
	const all = Object.entries(readFingerprints());
	write(Object.fromEntries(all.filter(([key]) => isCurrent(key))));
}

function write(all: Record<string, string>): void {
	const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
	writeFileSync(file(), `${JSON.stringify(sorted, null, '\t')}\n`);
}

const hashOf = (shown: unknown) => fingerprint(JSON.stringify(shown)).slice(0, 12);

/** Whether a node is a note, which does nothing. The pictures leave notes out. */
export const isNote = ({ type }: INode) => type.endsWith('.stickyNote');

/**
 * Returns a hash of everything that the picture of a canvas shows: the nodes with their operations and their positions
 * to each other, and the connections.
 */
export function canvasFingerprint({ nodes, connections }: WorkflowInput): string {
	const steps = nodes.filter((node) => !isNote(node));
	const left = Math.min(...steps.map(({ position: [x] }) => x));
	const top = Math.min(...steps.map(({ position: [, y] }) => y));
	const shown = steps.map(
		({ name, type, position: [x, y], disabled, parameters: { resource, operation } }) => {
			return { name, type, position: [x - left, y - top], disabled, resource, operation };
		},
	);
	return hashOf([shown, connections]);
}

/** The examples at work in a picture of what they result in. Empty for any other picture. */
export function examplesIn(picture: string): string[] {
	if (picture === filmName) return firstExamples;
	return picture.startsWith(resultPrefix) ? [picture.slice(resultPrefix.length)] : [];
}

/** Returns a hash of what workflows do, such as the text of their emails. */
export function resultFingerprint(workflows: WorkflowInput[]): string {
	return hashOf(
		workflows.map(({ nodes, connections }) => [
			nodes
				.filter((node) => !isNote(node))
				.map(({ name, type, parameters }) => [name, type, parameters]),
			connections,
		]),
	);
}
