import type { Mailbox } from '../mail/mailbox';
import type { Account } from '../service/account';
import type { Deliveries } from '../service/deliveries';
import type { Documents } from '../service/documents';
import type { Events } from '../service/events';
import type { Files } from '../service/files';
import type { Identity } from '../service/identity';
import type { Links } from '../service/links';
import type { Registrations } from '../service/registrations';
import type { Settings } from '../service/settings';
import type { States } from '../service/states';
import type { Templates } from '../service/templates';
import type { Store } from '../state/store';
import type { Clock } from '../util/clock';
import type { Journal } from '../util/journal';
import type { Faults } from './faults';
import type { Recorder } from './recorder';

/** Everything behind the HTTP surface. */
export interface ServiceParts {
	store: Store;
	clock: Clock;
	journal: Journal;
	account: Account;
	links: Links;
	templates: Templates;
	files: Files;
	registrations: Registrations;
	deliveries: Deliveries;
	events: Events;
	documents: Documents;
	identity: Identity;
	mailbox: Mailbox;
	recorder: Recorder;
	settings: Settings;
	faults: Faults;
	states: States;
}
