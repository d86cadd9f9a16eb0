import { eventFaults } from './planted/events';
import type { PlantedFault } from './planted/fault';
import { outputFaults } from './planted/outputs';
import { registrationFaults } from './planted/registrations';
import { sendingFaults } from './planted/sending';
import { serviceFaults } from './planted/service';
import { waitingFaults } from './planted/waiting';

export type { PlantedFault };

/** All of them: each must be found, so that what the simulation does not find means something. */
export const plantedFaults: PlantedFault[] = [
	...sendingFaults,
	...outputFaults,
	...waitingFaults,
	...eventFaults,
	...registrationFaults,
	...serviceFaults,
];
