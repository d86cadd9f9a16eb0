import type { Owner } from '../host/apiTypes';
import type { N8nClient } from '../host/apiClient';
import type { HostInstallation } from '../host/install.cjs';
import type { N8n } from '../host/n8n';
import type { Log } from '../host/types';
import type { FloorName } from './floors';
import type { HttpClient } from './httpClient';
import type { Plan } from './plan';

/** What every measurement works with: a real n8n with the package, and a plain HTTP client. */
export interface Bench {
	n8n: N8n;
	owner: Owner;
	installation: HostInstallation;
	/** Where n8n has the package installed. */
	packageFolder: string;
	/** n8n's REST interface, beyond what `n8n.api` offers. */
	rest: N8nClient;
	client: HttpClient;
	plan: Plan;
	log: Log;
}

/** A column of a table. */
export interface Column {
	/** Its values' name in the rows. */
	key: string;
	/** Its head, with the unit. */
	title: string;
	/** Decimals of its numbers. Default 0. */
	digits?: number;
}

/** One line of a table; what is absent was not measured. */
export type Row = Record<string, string | number | undefined>;

/** A table of figures. */
export interface Table {
	/** Names it in the results file, e.g. `create`. */
	id: string;
	title: string;
	columns: Column[];
	rows: Row[];
}

/** What a measurement gives. */
export interface Outcome {
	tables: Table[];
	/** Those that a floor is set for. */
	ratios?: Partial<Record<FloorName, number>>;
}

/** One measurement. */
export type Measurement = (bench: Bench) => Promise<Outcome>;
