const path = require('node:path');

// Whole, it takes longer to load than most test files run.
const folder = path.dirname(require.resolve('../../node_modules/n8n-workflow/dist/cjs/index.js'));
const load = (name) => require(path.join(folder, name));
const parts = ['errors/index.js', 'utils.js', 'interfaces.js', 'constants.js'];

/** n8n-workflow, of which only those parts are loaded that are asked for. */
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
