import type { SandboxTemplate } from './types';
import { consultingAgreement } from './templates/consulting-agreement';
import { employmentContract } from './templates/employment-contract';
import { equipmentHandover } from './templates/equipment-handover';
import { mutualNda } from './templates/mutual-nda';
import { remoteWorkAddendum } from './templates/remote-work-addendum';
import { residentialLease } from './templates/residential-lease';

/**
 * The templates that a fresh sandbox offers: two of version 1, four of version 2 of which one is
 * a draft. Their templateIDs stay the same, so that a workflow built on them keeps working.
 *
 * @returns New copies on each call: one sandbox's changes never show in another one.
 */
export function seedTemplates(): SandboxTemplate[] {
	return structuredClone([
		residentialLease,
		consultingAgreement,
		employmentContract,
		mutualNda,
		equipmentHandover,
		remoteWorkAddendum,
	]);
}
