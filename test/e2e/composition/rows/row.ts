import type { TestedOperation } from '../../../operations';
import type { Scene } from '../scene';

/** A row of the matrix that stands for itself. */
export interface SingleRow {
	/** The setting or the workflow, as the documentation names it. */
	what: string;
	/** The operation that it is tried with. Others would meet it in the same code. */
	tried: TestedOperation;
	/** Whether it takes long, so that there is no time to do it for a sample. */
	long?: boolean;
	/** What is expected, as the end of a sentence. */
	expected: string;
	run(scene: Scene): Promise<void>;
}
