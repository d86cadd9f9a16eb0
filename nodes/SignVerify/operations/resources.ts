import type { ResourceName } from './types';

/**
 * How the resources are called in the form, and which of its operations each one offers first.
 * A workflow does not save what is the default, so `first` never changes.
 */
export const resources: Record<ResourceName, { name: string; first: string }> = {
	document: { name: 'Document', first: 'createFromTemplate' },
	identity: { name: 'Identity', first: 'request' },
	template: { name: 'Template', first: 'getAll' },
	webhook: { name: 'Webhook', first: 'create' },
};
