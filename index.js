// This file is for programs that import the classes, such as workflow tests. n8n doesn't load it, because n8n
// finds the nodes and the credential through the "n8n" block in package.json.
module.exports = {
	...require('./dist/nodes/SignVerify/SignVerify.node.js'),
	...require('./dist/nodes/SignVerify/SignVerifyTrigger.node.js'),
	...require('./dist/credentials/SignVerifyApi.credentials.js'),
};
