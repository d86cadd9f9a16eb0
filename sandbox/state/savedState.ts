import { Value } from '@sinclair/typebox/value';
import { checkPng, PngRefusal } from '../documents/png';
import { seedTemplates } from '../documents/templates';
import { madeUpTemplates } from '../seed/templates';
import { EARLIEST, LATEST } from '../util/clock';
import { SAVED_STATE_VERSION, SavedStateSchema, type SavedState } from './records';

/** Says why a state cannot be loaded. */
export class StateRefusal extends Error {
	override readonly name = 'StateRefusal';
}

/**
 * Checks a state that somebody brings: nothing in it may break the sandbox later.
 * @throws StateRefusal naming the first thing that is wrong.
 */
export function readSavedState(given: unknown): SavedState {
	if (typeof given !== 'object' || given === null || !('signingSandbox' in given)) {
		throw new StateRefusal('This is not a saved state of the sandbox');
	}
	if (given.signingSandbox !== SAVED_STATE_VERSION) {
		throw new StateRefusal('This state was saved by another version of the sandbox');
	}
	if (!Value.Check(SavedStateSchema, given)) {
		const { path = '', message = '' } = Value.Errors(SavedStateSchema, given).First() ?? {};
		throw new StateRefusal(`The saved state has a mistake at ${path || '/'}: ${message}`);
	}
	const savedAt = Date.parse(given.savedAt);
	if (!(savedAt >= EARLIEST && savedAt < LATEST)) {
		throw new StateRefusal('The saved state has a mistake at /savedAt: Expected a time');
	}
	checkTemplates(given);
	for (const [id, { json }] of Object.entries(given.deliveries)) checkJson(id, json);
	for (const [id, { signatories }] of Object.entries(given.documents)) {
		for (const { mark } of signatories) if (mark?.kind === 'drawn') checkDrawing(id, mark.png);
	}
	return given;
}

function checkTemplates({ account, documents }: SavedState): void {
	const all = [...seedTemplates(), ...madeUpTemplates(account.seeded?.templates ?? 0)];
	const known = new Set(all.map(({ templateID }) => templateID));
	for (const { documentID, templateID } of Object.values(documents)) {
		if (known.has(templateID)) continue;
		throw new StateRefusal(
			`Document ${documentID} was made from template ${templateID.slice(0, 80)}, which this version of the sandbox does not have`,
		);
	}
}

function checkJson(id: string, json: string): void {
	try {
		JSON.parse(json);
	} catch {
		throw new StateRefusal(`The saved state has a mistake at /deliveries/${id}/json: not JSON`);
	}
}

function checkDrawing(id: string, png: string): void {
	try {
		checkPng(Buffer.from(png, 'base64'));
	} catch (error) {
		if (!(error instanceof PngRefusal)) throw error;
		throw new StateRefusal(`The saved state has a mistake at /documents/${id}: ${error.message}`);
	}
}
