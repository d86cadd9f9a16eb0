import type { SandboxTemplate } from '../documents/types';
import type { Store } from '../state/store';
import type { SandboxOptions } from '../types';
import type { Clock } from '../util/clock';
import { madeUpDocuments } from './documents';
import { madeUpTemplates } from './templates';

/**
 * Adds the made-up templates and documents that the options ask for. A data folder remembers how
 * many there are: its documents need their templates at every start, and none is made twice.
 *
 * @param own The templates that every sandbox has.
 * @returns All templates.
 */
export function seeded(
	store: Store,
	own: SandboxTemplate[],
	clock: Clock,
	{ templates = 0, documents = 0 }: NonNullable<SandboxOptions['seed']> = {},
): SandboxTemplate[] {
	const account = store.accountRecord();
	const before = account.seeded ?? { templates: 0, documents: 0 };
	const now = {
		templates: Math.max(before.templates, templates),
		documents: Math.max(before.documents, documents),
	};
	const all = [...own, ...madeUpTemplates(now.templates)];
	if (now.templates === before.templates && now.documents === before.documents) return all;
	for (const record of madeUpDocuments(all, before.documents, now.documents, clock.now())) {
		store.documents.put(record.documentID, record);
	}
	account.seeded = now;
	store.accountChanged();
	return all;
}
