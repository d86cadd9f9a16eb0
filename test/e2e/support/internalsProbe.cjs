'use strict';
// A node for a real n8n. It calls every function in nodes/SignVerify/n8nInternals.ts of the installed
// package, and reports under each function's name whether the function still does what the nodes need.

const { writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');

const folder = process.env.N8N_USER_FOLDER;
const installed = '.n8n/nodes/node_modules/n8n-nodes-signverify/dist/nodes/SignVerify';
const modulePath = path.join(folder, installed, 'n8nInternals.js');
const internals = require(modulePath);

const { WorkflowExecuteModeList } = createRequire(require.resolve(modulePath))('n8n-workflow');

/**
 * Returns the result of `use`. If `use` throws an error, returns its message, so the function is reported as
 * broken.
 */
async function found(use) {
	try {
		return await use();
	} catch (error) {
		return error.message;
	}
}

/** Whether n8n's deduplication store reads the node's ID each time a helper is called. */
async function hasStoreOfItsOwn(execute) {
	const isNew = async () => {
		const options = { mode: 'entries', maxEntries: 100 };
		const answer = await execute.helpers.checkProcessedAndRecord(['x'], 'node', options);
		return answer.new.length === 1;
	};
	const other = async () => await internals.withNodeId(execute, 'another', isNew);
	return isDeepStrictEqual([await isNew(), await other(), await other()], [true, true, false]);
}

/** Whether n8n returns the same stack entry and the same input for every call within a run. */
async function isDoneOnce(execute) {
	let count = 0;
	const work = async () => {
		count++;
		return [[]];
	};
	await internals.oncePerRun(execute, work);
	await internals.oncePerRun(execute, work);
	return count === 1;
}

class InternalsProbe {
	description = {
		displayName: 'Internals Probe',
		name: 'internalsProbe',
		group: ['transform'],
		version: 1,
		description: 'Tries the parts of n8n that the nodes use',
		defaults: { name: 'Internals Probe' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'signVerifyApi', required: true }],
		// n8n checks a URL's signature only if a node has the operation `sendAndWait`.
		properties: [{ displayName: 'Operation', name: 'operation', type: 'hidden', default: '' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: '={{ $nodeId }}',
				restartWebhook: true,
				isFullPath: true,
			},
		],
	};

	async execute() {
		const item = { json: { passed: 'on' }, pairedItem: { item: 0 } };
		const results = this.getContext('node');
		writeFileSync(path.join(folder, 'probe-url'), this.getSignedResumeUrl());
		Object.assign(results, {
			canKeepWait: await found(() => internals.canKeepWait(this)),
			// The table contains exactly n8n's modes.
			runKinds: isDeepStrictEqual(
				Object.keys(internals.runKinds).sort(),
				[...WorkflowExecuteModeList].sort(),
			),
			runKindOf: await found(() => internals.runKindOf(this) === 'test'),
			// This n8n isn't under a path. test/e2e/underPath.nightly.test.ts uses one that is.
			signedResumeUrl: await found(
				() => internals.signedResumeUrl(this, { a: 'b' }) === this.getSignedResumeUrl({ a: 'b' }),
			),
			endpointsOf: await found(() => {
				const { origin } = new URL(this.getSignedResumeUrl());
				const webhookNames = ['webhook-waiting', 'webhook', 'webhook-test'];
				return [false, true].every((isTest) =>
					isDeepStrictEqual(internals.endpointsOf(this, isTest), {
						publicUrl: `${origin}/`,
						webhookNames,
					}),
				);
			}),
			hasNodeId: await found(() => internals.hasNodeId(this)),
			savedCredential: await found(async () => {
				const { baseUrl } = await internals.savedCredential(this, 'signVerifyApi');
				return typeof baseUrl === 'string';
			}),
			withNodeId: await found(() => hasStoreOfItsOwn(this)),
			itemsAfterWait: await found(() => internals.itemsAfterWait(this) === undefined),
			// This is the node's first run.
			outputsOfEarlierRuns: await found(() =>
				isDeepStrictEqual(internals.outputsOfEarlierRuns(this), []),
			),
			isVariant: await found(() => !internals.isVariant(this, 'Tool')),
			// test/e2e/agentSignature.nightly.test.ts has one of n8n's Agents use the node as a tool.
			isToolOfAgents: await found(() => !internals.isToolOfAgents(this)),
			isTool: await found(() => !internals.isTool(this)),
			isInEngine2: await found(() => !internals.isInEngine2(this)),
			keepsOnlyMessages: await found(() => !internals.keepsOnlyMessages(this)),
			// This checks only the modes. test/e2e/trigger.test.ts starts a real test run of a trigger.
			isTriggerTest: await found(
				() =>
					internals.isTriggerTest({ getMode: () => 'manual' }) && !internals.isTriggerTest(this),
			),
			oncePerRun: await found(async () => await isDoneOnce(this)),
			notAsCanceled: internals.notAsCanceled('canceled') === 'cancelled',
		});
		await this.putExecutionToWait(new Date(Date.now() + 86_400_000));
		results.waitAlone = await found(() => {
			const { node } = this.getExecuteData();
			internals.waitAlone(this);
			const own = this.getExecuteData().node;
			return own !== node && isDeepStrictEqual(own, node);
		});
		results.endExecutionOnError = await found(() => {
			const entry = this.getExecuteData();
			const { node } = entry;
			internals.endExecutionOnError(this);
			const ends = entry === this.getExecuteData() && entry.node.onError === 'stopWorkflow';
			entry.node = node;
			return ends;
		});
		results.passOnAtLimit = await found(() => {
			internals.passOnAtLimit(this, item);
			return isDeepStrictEqual(this.getInputData(), [item]);
		});
		if (results.itemsAfterWait === true) {
			results.itemsAfterWait = await found(() =>
				isDeepStrictEqual(internals.itemsAfterWait(this), [item]),
			);
		}
		return [[item]];
	}

	async webhook() {
		const kept = await found(() => internals.contextOfNode(this));
		const itemAtLimit = await found(() =>
			isDeepStrictEqual(internals.itemAtLimit(this)?.json, { passed: 'on' }),
		);
		const wasKept = kept?.canKeepWait !== undefined || kept;
		const json = { ...kept, contextOfNode: wasKept, itemAtLimit };
		return { workflowData: [[{ json, pairedItem: { item: 0 } }]] };
	}
}

module.exports = { InternalsProbe };
