import type { SandboxTemplate } from '../../state/records';
import { consultingAgreement } from './templates/consultingAgreement';
import { employmentContract } from './templates/employmentContract';
import { equipmentHandover } from './templates/equipmentHandover';
import { mutualNda } from './templates/mutualNda';
import { remoteWorkAddendum } from './templates/remoteWorkAddendum';
import { residentialLease } from './templates/residentialLease';

/**
 * Returns the templates that every new sandbox contains: two of version 1, and four of version 2, one of
 * which is a draft. Their IDs never change, so a workflow that uses them keeps working.
 * @returns New copies each time, so changing them in one sandbox does not affect the others.
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
