import type { Deliveries } from '../service/deliveries';
import type { Documents } from '../service/documents';
import type { Account } from '../service/account';
import type { Events } from '../service/events';
import type { Files } from '../service/files';
import type { Identity } from '../service/identity';
import type { Links } from '../service/links';
import type { Registrations } from '../service/registrations';
import type { Settings } from '../service/settings';
import type { Templates } from '../service/templates';
import type { Store } from '../state/store';
import type { MailView } from '../types';
import type { Clock } from '../util/clock';
import type { Faults } from './faults';
import type { Recorder } from './recorder';

/** Everything behind the HTTP surface. */
export interface ServiceParts {
	store: Store;
	clock: Clock;
	account: Account;
	links: Links;
	settings: Settings;
	templates: Templates;
	documents: Documents;
	files: Files;
	identity: Identity;
	registrations: Registrations;
	events: Events;
	deliveries: Deliveries;
	recorder: Recorder;
	faults: Faults;
	mailbox: { all(): MailView[] };
}
