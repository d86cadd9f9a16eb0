import type { INode } from 'n8n-workflow';
import ts from 'typescript';

import { operations } from '../../nodes/SignVerify/operations';
import { filesIn, textOfFile } from '../support/files';

// A node whose workflow has no options at all sends nothing when it's run in the editor or over n8n's REST API
// (operations/testRuns.ts). A workflow of ours that leaves them out would wait for documents that no one sent.
const sending = operations
	.filter(({ sends }) => sends)
	.map(({ resource, value }) => ({ resource, value }));
const mustSay = (resource: unknown, operation: unknown) =>
	sending.some(
		(one) => one.value === operation && (resource === undefined || one.resource === resource),
	);
const fieldNames = new Set(
	operations.filter(({ sends }) => sends).flatMap(({ fields }) => fields.map(({ name }) => name)),
);
const withFolder = (folder: string) => filesIn(folder).map((file) => `${folder}/${file}`);

/** Returns the nodes of a workflow that don't say what to send. */
function silentNodes(file: string): string[] {
	const { nodes = [] } = JSON.parse(textOfFile(file)) as { nodes?: INode[] };
	return nodes
		.filter(({ type }) => type === 'n8n-nodes-signverify.signVerify')
		.filter(({ parameters: { resource = 'document', operation, options } }) => {
			return mustSay(resource, operation) && options === undefined;
		})
		.map(({ name }) => `${file}: ${name}`);
}

/**
 * Returns the parameters in a source file that don't say what to send. What an object with a spread contains can't be
 * read from the source, so it's left to the tests that run it.
 */
function silentParameters(file: string): string[] {
	const source = ts.createSourceFile(file, textOfFile(file), ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isObjectLiteralExpression(node) && !node.properties.some(ts.isSpreadAssignment)) {
			const valueOf = (name: string): unknown => {
				const property = node.properties.find((one) => one.name?.getText() === name);
				if (!property) return undefined;
				const isText =
					ts.isPropertyAssignment(property) && ts.isStringLiteral(property.initializer);
				return isText ? property.initializer.text : property;
			};
			const isSilent = mustSay(valueOf('resource'), valueOf('operation'));
			// Without a field of the form beside it, it's only the operation's name.
			const isForm = node.properties.some((one) => fieldNames.has(one.name?.getText() ?? ''));
			if (isSilent && isForm && valueOf('options') === undefined) {
				const { line } = source.getLineAndCharacterOfPosition(node.getStart());
				found.push(`${file}:${line + 1}`);
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

test('every SignVerify node in the examples says what it sends', () => {
	const files = withFolder('examples').filter((file) => file.endsWith('.json'));
	expect(files.length).toBeGreaterThan(15);
	expect(files.flatMap(silentNodes)).toEqual([]);
});

test.each(['bench', 'test/e2e', 'test/queue', 'test/simulation'])(
	'every SignVerify node that %s writes out in full says what it sends',
	(folder) => {
		const files = withFolder(folder).filter((file) => /\.[cm]?[jt]s$/.test(file));
		expect(files.length).toBeGreaterThan(0);
		expect(files.flatMap(silentParameters)).toEqual([]);
	},
);
