import { type Cell } from './cells';
import type { Host } from './host';
import { type Checks } from './invariants';
import { type Item, type OperationUnderTest } from './operations/index';
import { type Service } from './service';

/** A cell while it is tested. */
export interface Trial {
	host: Host;
	cell: Cell;
	operation: OperationUnderTest;
	service: Service;
	items: Item[];
	checks: Checks;
}
