import type { SandboxTemplate } from '../../state/records';
import { consultingAgreement } from './templates/consultingAgreement';
import { employmentContract } from './templates/employmentContract';
import { equipmentHandover } from './templates/equipmentHandover';
import { mutualNda } from './templates/mutualNda';
import { remoteWorkAddendum } from './templates/remoteWorkAddendum';
import { residentialLease } from './templates/residentialLease';

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
