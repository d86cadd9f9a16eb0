import type { SandboxTemplate } from '../../../state/records';

/** A version 2 template with two signatories, who both answer questions before signing. */
export const mutualNda: SandboxTemplate = {
	version: 'v2',
	templateID: '65f1c0de0000000000000202',
	name: 'Mutual non-disclosure agreement',
	description: 'Protects confidential information that two parties exchange for a stated purpose.',
	key: 'mutual_nda',
	status: 'ACTIVE',
	fields: [
		{ key: 'first_party', type: 'text', isRequired: true, label: 'First party' },
		{ key: 'second_party', type: 'text', isRequired: true, label: 'Second party' },
		{ key: 'purpose', type: 'text', isRequired: true, label: 'Purpose of the exchange' },
		{ key: 'effective_date', type: 'text', isRequired: true, label: 'Effective date' },
	],
	questions: [
		{
			key: 'registration_number',
			type: 'text',
			isRequired: true,
			label: 'Registration number of your company',
		},
		{
			key: 'position',
			type: 'text',
			isRequired: false,
			label: 'Your title at the company',
		},
	],
	signaturePlaces: [
		{ key: 'first_party', label: 'First party' },
		{ key: 'second_party', label: 'Second party' },
	],
	body: [
		{
			kind: 'paragraph',
			text: 'This Mutual Non-Disclosure Agreement (this “Agreement”) is entered into between {{first_party}} and {{second_party}} (each a “Party” and together the “Parties”) and takes effect on {{effective_date}} (the “Effective Date”).',
		},
		{
			kind: 'clause',
			title: 'Purpose',
			text: 'The Parties wish to exchange confidential information for the following purpose (the “Purpose”): {{purpose}}. Each Party shall use the other Party’s Confidential Information solely for the Purpose.',
		},
		{
			kind: 'clause',
			title: 'Confidential Information',
			text: '“Confidential Information” means any information that one Party (the “Disclosing Party”) discloses to the other Party (the “Receiving Party”) in connection with the Purpose, in any form, and that is marked as confidential or that a reasonable person would understand to be confidential.',
		},
		{
			kind: 'clause',
			title: 'Obligations of the Receiving Party',
			text: 'The Receiving Party shall hold the Confidential Information in confidence, protect it with at least the degree of care that it uses for its own confidential information, and in no event less than reasonable care, and copy it only as needed for the Purpose.',
		},
		{
			kind: 'clause',
			title: 'Permitted Disclosures',
			text: 'The Receiving Party may share Confidential Information with its employees and advisors who need to know it for the Purpose and who are bound by confidentiality obligations. The Receiving Party is responsible for any breach of this Agreement by those persons.',
		},
		{
			kind: 'clause',
			title: 'Exclusions',
			text: 'Confidential Information does not include information that (a) is or becomes publicly available through no breach of this Agreement, (b) was already known to the Receiving Party, (c) was lawfully received from a third party, or (d) was independently developed without use of the Confidential Information.',
		},
		{
			kind: 'clause',
			title: 'Compelled Disclosure',
			text: 'If the Receiving Party is required by law or court order to disclose Confidential Information, it shall give the Disclosing Party prompt written notice, to the extent legally permitted, and shall disclose only the portion that is legally required.',
		},
		{
			kind: 'clause',
			title: 'Return or Destruction',
			text: 'Upon the Disclosing Party’s written request, the Receiving Party shall return or destroy all Confidential Information within thirty days and confirm in writing that it has done so. Copies in routine backups may be retained until they are overwritten and remain subject to this Agreement.',
		},
		{
			kind: 'clause',
			title: 'No License',
			text: 'Nothing in this Agreement grants either Party any license or other right to the other Party’s Confidential Information or obligates either Party to enter into any further agreement.',
		},
		{
			kind: 'clause',
			title: 'Term',
			text: 'This Agreement remains in effect for two years from the Effective Date. The confidentiality obligations survive for three years after it expires.',
		},
	],
};
