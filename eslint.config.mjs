import { createRequire } from 'node:module';

import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

// ESLint's own rules come with ESLint.
const { configs: eslintRules } = createRequire(import.meta.resolve('eslint'))('@eslint/js');

/** n8n's second rule set comes in the old format: one list of rules for each kind of file. */
function n8nNodesBaseRules(set, files) {
	const { rules } = n8nNodesBase.configs[set].overrides?.[0] ?? n8nNodesBase.configs[set];
	return { files, plugins: { 'n8n-nodes-base': n8nNodesBase }, rules };
}

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
	// What ships has every rule of n8n's default configuration, except those about imports: the
	// compiler checks them (docs/dev/verification.md#what-n8ns-lint-command-says).
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
			// n8n's and Fastify's interfaces ask for async functions where there is nothing to await.
			'@typescript-eslint/require-await': 'off',
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			// Jest's matchers (expect.any) and n8n's loose data are `any`; hooks are taken off their
			// object to be called with a context, as n8n does.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/unbound-method': 'off',
		},
	},
	// The package and what ships to users, as n8n checks them.
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
			// These three know only how n8n did it before: the other rule set asks for the opposite
			// (NodeConnectionTypes instead of 'main', a web address for the documentation).
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			// A condition that is always true hides a type that promises more than the service or n8n does.
			'@typescript-eslint/no-unnecessary-condition': 'error',
			// A list from outside can be longer than the stack.
			'no-restricted-syntax': ['error', ':matches(CallExpression, NewExpression) > SpreadElement'],
		},
	},
);
