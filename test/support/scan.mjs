// node test/support/scan.mjs <folder> <pattern>…
//
// Lints a package as n8n's package scanner does before n8n verifies it, and prints what was found.
// A process of its own: inside a test runner, n8n's rules find nothing (the scanner's own tests
// say so). The scanner's command itself downloads a published package, this needs no network.
import { analyzePackage, buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

const [folder, ...patterns] = process.argv.slice(2);
const { passed, message, details } = await analyzePackage(folder, patterns);

// The scanner counts errors only, and no file at all as a success.
const eslint = new ESLint({
	cwd: folder,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: await buildScanConfig(),
});
const files = await eslint.lintFiles(patterns);
const findings = files.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId));
console.log(JSON.stringify({ passed, message, details, findings, files: files.length }));
