import { describeUnitTests } from './unitTests';

describeUnitTests(false);
