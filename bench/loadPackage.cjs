'use strict';
// node loadPackage.cjs <n8n's node_modules> <the package's folder>
//
// Prints how many milliseconds n8n's own loader takes for a package, in a fresh process where n8n's
// parts are loaded already, as they are when n8n comes to its packages.
const { createRequire } = require('node:module');
const path = require('node:path');

const [modules, folder] = process.argv.slice(2);
const load = createRequire(path.join(modules, 'n8n', 'package.json'));
load('n8n-workflow');
const { LazyPackageDirectoryLoader } = load('n8n-core');

const start = performance.now();
const loader = new LazyPackageDirectoryLoader(folder);
loader
	.loadAll()
	.then(() => {
		const ms = performance.now() - start;
		const { nodes, credentials } = loader.types;
		console.log(JSON.stringify({ ms, nodes: nodes.length, credentials: credentials.length }));
		process.exit();
	})
	.catch((error) => {
		console.error(error);
		process.exit(1);
	});
