// n8n finds nodes and credentials by the "n8n" block of package.json. This file is for programs
// that want the classes themselves, such as tests of workflows.
module.exports = {
	...require('./dist/nodes/SignVerify/SignVerify.node.js'),
	...require('./dist/nodes/SignVerify/SignVerifyTrigger.node.js'),
	...require('./dist/credentials/SignVerifyApi.credentials.js'),
};
