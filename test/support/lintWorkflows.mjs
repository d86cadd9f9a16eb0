// node --import tsx test/support/lintWorkflows.mjs <file>…
//
// Checks workflows with the parser of GitHub's own language server: names of keys, their types,
// expressions and the contexts that they may use. Prints a list of what is wrong as JSON.
// A process of its own: the library is an ES module, which Jest does not load. tsx loads its JSON.
import { readFileSync } from 'node:fs';
import {
	convertWorkflowTemplate,
	NoOperationTraceWriter,
	parseWorkflow,
} from '@actions/workflow-parser';

const problems = [];
for (const name of process.argv.slice(2)) {
	const content = readFileSync(name, 'utf8');
	const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
	if (value) await convertWorkflowTemplate(context, value);
	problems.push(...context.errors.getErrors().map(({ message }) => message));
}
console.log(JSON.stringify(problems));
