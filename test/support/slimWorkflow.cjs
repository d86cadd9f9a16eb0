const path = require('node:path');

// Loading all of n8n-workflow takes longer than running most test files.
const folder = path.dirname(require.resolve('../../node_modules/n8n-workflow/dist/cjs/index.js'));
const load = (name) => require(path.join(folder, name));
const parts = ['errors/index.js', 'utils.js', 'interfaces.js', 'constants.js'];

/** n8n-workflow, whose parts are loaded only when they are used. */
module.exports = new Proxy(
	{},
	{
		get(_, name) {
			if (name === 'NodeHelpers') return load('node-helpers.js');
			if (name === '__esModule') return true;
			const part = parts.map(load).find((loaded) => name in loaded);
			return (part ?? load('index.js'))[name];
		},
	},
);
