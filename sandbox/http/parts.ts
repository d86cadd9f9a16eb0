import type { Events } from '../service/events';
import type { Registrations } from '../service/registrations';
import type { StateDeps, States } from '../service/states';
import type { Recorder } from './recorder';

/** Everything behind the HTTP surface. */
export interface ServiceParts extends StateDeps {
	registrations: Registrations;
	events: Events;
	recorder: Recorder;
	states: States;
}
