import type { EndpointParts } from '../contract/endpoints';
import type { Deliveries } from '../service/deliveries';
import type { Files } from '../service/documents';
import type { Events } from '../service/events';
import type { Store } from '../state/store';
import type { MailView } from '../types';
import type { Clock } from '../util/clock';
import type { Faults } from './faults';
import type { Recorder } from './recorder';

export interface ServiceParts extends EndpointParts {
	store: Store;
	clock: Clock;
	files: Files;
	events: Events;
	deliveries: Deliveries;
	recorder: Recorder;
	faults: Faults;
	mailbox: { all(): MailView[] };
}
