import { readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

import { root } from '../../scripts/tools';
import { blocksOf, readPages } from './markdown';
import { compilerSettings } from './source';

const pages = readPages();

test.each(blocksOf(pages, 'json'))('$file: JSON: $text', ({ text }) => {
	const isMember = /^\s*"/.test(text);
	expect(() => void JSON.parse(isMember ? `{${text}}` : text)).not.toThrow();
});

/** TypeScript without its layout and comments, so that a quotation need not keep the lines. */
function essence(text: string): string {
	const file = ts.createSourceFile('quoted.ts', text, ts.ScriptTarget.ES2022);
	return ts.createPrinter({ removeComments: true }).printFile(file).replace(/\s+/g, ' ');
}

/** Pages whose TypeScript stands in a file of the project, and where. */
const quoted: Record<string, string[]> = {
	'docs/dev/adding-an-operation.md': [
		'nodes/SignVerify/operations/template/get.ts',
		'nodes/SignVerify/operations/registry.ts',
	],
};

test('TypeScript on the pages is what the files have', () => {
	for (const { file, text } of blocksOf(pages, 'ts')) {
		const sources = quoted[file];
		if (!sources) continue;
		const code = sources.map((each) => essence(readFileSync(path.join(root, each), 'utf8')));
		expect(code.some((each) => each.includes(essence(text).trim()))).toBe(true);
	}
});

test('TypeScript on the other pages is checked by the compiler', () => {
	const others = blocksOf(pages, 'ts').filter(({ file }) => !(file in quoted));
	expect(others.map(({ file }) => file)).toEqual(['docs/sandbox.md']);
	const [snippet] = others;
	const name = path.join(root, 'docs', 'snippet.ts');
	const known = 'declare const documentID: string; declare const validationId: string;\n';
	const { options } = compilerSettings();
	const host = ts.createCompilerHost(options);
	const { getSourceFile, fileExists, readFile } = host;
	// The snippet waits at its top level, as a test's body may.
	const [imports = '', body = ''] = (snippet?.text ?? '').split('\n\n');
	const text = `${imports}\n${known}export async function example() {\n${body}\n}\n`;
	host.getSourceFile = (file, version) =>
		file === name
			? ts.createSourceFile(file, text, version)
			: getSourceFile.call(host, file, version);
	host.fileExists = (file) => file === name || fileExists.call(host, file);
	host.readFile = (file) => (file === name ? text : readFile.call(host, file));
	const program = ts.createProgram([name], { ...options, noUnusedLocals: false }, host);
	const problems = ts
		.getPreEmitDiagnostics(program, program.getSourceFile(name))
		.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
	expect(problems).toEqual([]);
}, 120_000);
