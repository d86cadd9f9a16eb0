// node test/support/scan.mjs <folder> <pattern>…
//
// Lints a package with the package scanner that n8n runs before it verifies a package, and prints the
// findings. This script runs in a separate process, because n8n's rules do not report anything inside a test
// runner, according to the scanner's own tests. The scanner's command downloads a published package, but this
// script works without network access.
import { analyzePackage, buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

const [folder, ...patterns] = process.argv.slice(2);
const { passed, message, details } = await analyzePackage(folder, patterns);

// The scanner counts only errors and treats a package without files as a success.
const eslint = new ESLint({
	cwd: folder,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: await buildScanConfig(),
});
const files = await eslint.lintFiles(patterns);
const findings = files.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId));
console.log(JSON.stringify({ passed, message, details, findings, files: files.length }));
