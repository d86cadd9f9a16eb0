// The project's own rules. What ships must also follow n8n's rules: n8n's tools require that eslint.config.mjs
// contains these and nothing else.
import tseslint from 'typescript-eslint';

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

const clockCall = (object, more = '') =>
	`BinaryExpression[operator="-"]${more} > CallExpression.left[callee.object.name="${object}"][callee.property.name="now"]`;
const byTheClock = 'How long something takes depends on the machine.';

/** What a test may not measure, so that no test fails because the machine is slow or busy. */
const measuring = [
	{
		selector: clockCall('performance'),
		message: `${byTheClock} Use expectLinear() (growth.ts), stopwatch() (virtualTime.ts), or count.`,
	},
	{
		// Other differences are dates.
		selector: `:matches(VariableDeclarator, CallExpression[callee.name="expect"]) > ${clockCall('Date', '[right.type="Identifier"]')}`,
		message: `${byTheClock} Use stopwatch() (virtualTime.ts), or count.`,
	},
	{
		selector:
			'MemberExpression[object.name="process"][property.name=/^(?:cpuUsage|threadCpuUsage|hrtime)$/]',
		message: `${byTheClock} Use expectLinear() (growth.ts), or count.`,
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
	{
		// The simulation is a command, which reports how long it took.
		files: ['test/**/*.ts'],
		ignores: ['test/support/growth.ts', 'test/support/virtualTime.ts', 'test/simulation/**'],
		rules: { 'no-restricted-syntax': ['error', ...measuring] },
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		// A comment may turn off one of n8n's rules.
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: {
			// If the compiler considers a condition always true, one of its types guarantees more than the
			// service or n8n does.
			'@typescript-eslint/no-unnecessary-condition': 'error',
			'no-restricted-syntax': ['error', ...unboundedSyntax, ...normalizing],
		},
	},
	{
		// normalForm() and parseUrl() are here.
		files: ['nodes/SignVerify/util/text.ts', 'nodes/SignVerify/util/urls.ts'],
		rules: { 'no-restricted-syntax': ['error', ...unboundedSyntax] },
	},
);
