import { describeUnitTests } from './unitTests';

describeUnitTests(true);
