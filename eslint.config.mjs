import { createRequire } from 'node:module';

import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

// The package with ESLint's own rules is a dependency of ESLint, so resolve it from there.
const { configs: eslintRules } = createRequire(import.meta.resolve('eslint'))('@eslint/js');

/**
 * Converts n8n's second rule set, which uses ESLint's old format with one list of rules for each kind of
 * file.
 */
function n8nNodesBaseRules(set, files) {
	const { rules } = n8nNodesBase.configs[set].overrides?.[0] ?? n8nNodesBase.configs[set];
	return { files, plugins: { 'n8n-nodes-base': n8nNodesBase }, rules };
}

/** Syntax that no file of the package may contain, because a list or a text from outside can be long. */
const unboundedSyntax = [
	{
		selector: ':matches(CallExpression, NewExpression) > SpreadElement',
		message:
			'Spreading a list into a call puts all of its elements on the stack, and a list from outside can be too long for that.',
	},
	{
		selector: 'Literal[regex.pattern=/^(?!\\^)(?!.*\\|\\^[^|]*$).*[+*]\\)?\\$$/]',
		message:
			'On a long text, this pattern starts over at every character. Use withoutEnd(), or put ^ at the beginning.',
	},
];

/** Only two functions may normalize text, because they bound the text first. */
const normalizing = [
	{
		selector: 'MemberExpression[property.name="normalize"]',
		message: 'Use normalForm(), because normalizing a long text can take minutes.',
	},
	{
		selector: 'MemberExpression[property.name="canParse"]',
		message: 'Use parseUrl(), because a URL is normalized as well.',
	},
];

export default tseslint.config(
	{
		ignores: [
			'dist/',
			'node_modules/',
			'.run/',
			'coverage/',
			'sandbox/demo/pages/assets/',
			'host/n8n*/',
		],
	},
	// Code that ships must follow every rule of n8n's default configuration, except the import rules, because
	// the compiler checks imports (docs/dev/verification.md#results-of-n8ns-lint-command).
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		extends: [eslintRules.recommended],
		rules: { 'no-console': 'error' },
	},
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { projectService: true } },
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			// The interfaces of n8n and Fastify require async functions even where there is nothing to await.
			'@typescript-eslint/require-await': 'off',
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			// Jest's matchers (expect.any) and some of n8n's data have the type `any`. Tests also read hooks
			// as unbound methods and call them with a context, as n8n does.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/unbound-method': 'off',
		},
	},
	// package.json and everything that ships are checked as n8n checks them.
	{
		files: ['nodes/**/*.ts', 'nodes/**/*.json', 'credentials/**/*.ts', 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
	},
	{
		files: ['**/*.json'],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
	n8nNodesBaseRules('community', ['package.json']),
	n8nNodesBaseRules('credentials', ['credentials/**/*.ts']),
	n8nNodesBaseRules('nodes', ['nodes/**/*.ts']),
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
			// These three rules enforce conventions of earlier n8n versions. The other rule set enforces the
			// opposite: NodeConnectionTypes instead of 'main', and a URL for the documentation.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			// If the compiler considers a condition always true, one of its types guarantees more than the
			// service or n8n does.
			'@typescript-eslint/no-unnecessary-condition': 'error',
			'no-restricted-syntax': ['error', ...unboundedSyntax, ...normalizing],
		},
	},
	{
		files: ['nodes/SignVerify/util/text.ts'],
		rules: { 'no-restricted-syntax': ['error', ...unboundedSyntax] },
	},
);
