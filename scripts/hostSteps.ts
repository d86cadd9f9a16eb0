import { ensureHost } from '../host/install';
import { buildPackage, builtVariable, type Step } from './tools';

/** Installs the n8n that the tests run in, where it is missing. */
export const realN8n: Step = {
	name: 'Real n8n',
	run: async () => {
		await ensureHost({ log: (line) => console.log(line) });
		return 0;
	},
};

/** Builds the package that is installed into it. */
export const packageBuild: Step = {
	name: 'Build',
	run: async () => {
		await buildPackage();
		process.env[builtVariable] = '1';
		return 0;
	},
};
