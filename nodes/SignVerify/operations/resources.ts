import type { ResourceName } from './types';

/** How the resources are called in the form. */
export const resourceNames: Record<ResourceName, string> = {
	document: 'Document',
	identity: 'Identity',
	template: 'Template',
	webhook: 'Webhook',
};
