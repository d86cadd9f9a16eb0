import { format, lint, types } from './checks';
import { runSteps } from './tools';

void runSteps([lint, format, types]);
