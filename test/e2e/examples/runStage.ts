import { useExampleRuns } from '../support/exampleRuns';

/** One n8n for all examples that a test file imports: its start takes as long as a dozen tests. */
export const own = useExampleRuns('examples');
