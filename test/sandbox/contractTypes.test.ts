import path from 'node:path';
import ts from 'typescript';
import { root } from '../../scripts/tools';
import { compilerSettings } from '../docs/source';

const proof = path.join(root, 'test/types/interface.ts');
// The message has every path.
const options = { ...compilerSettings().options, noErrorTruncation: true };
const host = ts.createCompilerHost(options);
const known = new Map<string, ts.SourceFile | undefined>();
let last: ts.Program | undefined;

/** What the compiler says about the proof, when one file has another text. */
function problemsWith(changed?: string, from = '', to = ''): string[] {
	const readSource = (file: string, version: ts.ScriptTarget) => {
		if (!known.has(file)) known.set(file, ts.createSourceFile(file, read(file), version, true));
		return known.get(file);
	};
	const own = changed && path.join(root, changed);
	const program = ts.createProgram(
		[proof],
		options,
		{
			...host,
			getSourceFile: (file, version) =>
				file === own
					? ts.createSourceFile(file, replaced(read(file), from, to), ts.ScriptTarget.ES2022, true)
					: readSource(file, version as ts.ScriptTarget),
		},
		last,
	);
	last = program;
	return program
		.getSemanticDiagnostics(program.getSourceFile(proof))
		.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function read(file: string): string {
	return ts.sys.readFile(file) ?? '';
}

function replaced(text: string, from: string, to: string): string {
	if (text.split(from).length !== 2) throw new Error(`"${from}" is not there exactly once`);
	return text.replace(from, to);
}

const NODES = 'nodes/SignVerify/api/';
const SCHEMAS = 'sandbox/schemas/';

test('the types of the nodes and the schemas of the sandbox are the same', () => {
	expect(problemsWith()).toEqual([]);
}, 120_000);

test.each([
	[
		'a field of the nodes is gone',
		`${NODES}types.ts`,
		'\tparentImageSize: PageSize;\n',
		'',
		'StaticSignPosition.parentImageSize',
	],
	[
		'a field of the nodes is new',
		`${NODES}types.ts`,
		'\twebHookUrl: string;',
		'\twebHookUrl: string;\n\trank: number;',
		'WebhookRegistration.rank',
	],
	[
		'a field of the nodes has another type',
		`${NODES}types.ts`,
		'\tuserID: string;',
		'\tuserID: string | null;',
		'TemplateV1.userID',
	],
	[
		'a field of the nodes can be left out',
		`${NODES}types.ts`,
		'\tbackgroundCheck: boolean;',
		'\tbackgroundCheck?: boolean;',
		'IdentityRequestBody.backgroundCheck',
	],
	[
		'a value that was observed is gone',
		`${NODES}types.ts`,
		"Open<'ACTIVE'>",
		'string',
		'TemplateV2.status',
	],
	[
		'a field of the sandbox is gone',
		`${SCHEMAS}quirks.ts`,
		'\t\taddedOn: Type.Optional(EpochMs),\n',
		'',
		'WebhookRegistration.addedOn',
	],
	[
		'a field of the sandbox is new',
		`${SCHEMAS}templates.ts`,
		'\t\tuserID: Type.String(),\n',
		'\t\tuserID: Type.String(),\n\t\towner: Type.String(),\n',
		'TemplateV1.owner',
	],
	[
		'a field of the sandbox has another type',
		`${SCHEMAS}templates.ts`,
		"status: observed('ACTIVE')",
		'status: Type.Integer()',
		'TemplateV2.status',
	],
	[
		'a request of the sandbox has another field',
		`${SCHEMAS}requests.ts`,
		'\tcountry: Type.String({ minLength: 1 }),',
		'\tregion: Type.String({ minLength: 1 }),',
		'CreateDocumentBody.region',
	],
])('does not compile when %s', (_what, file, from, to, field) => {
	const problems = problemsWith(file, from, to);
	expect(problems.length).toBeGreaterThan(0);
	expect(problems.join('\n')).toContain(`"${field}"`);
});
