import { minRequestsPerSecond } from '../../nodes/SignVerify/account/credential';
import { downloadLimits } from '../../nodes/SignVerify/events/eventFiles';
import {
	keptDownloads,
	maxDownloads,
	maxDownloadsOfAccount,
} from '../../nodes/SignVerify/files/fileDownload';
import { maxResponseBytes } from '../../nodes/SignVerify/http/request';
import { executionCallMs, executionFileMs } from '../../nodes/SignVerify/http/callTimeouts';
import { n8nDeadlineMs } from '../../nodes/SignVerify/trigger/publishingBudget';
import { deletionPausesMs } from '../../nodes/SignVerify/trigger/lifecycle';
import { limitWaitTimeFields, maxDays } from '../../nodes/SignVerify/wait/waitLimit';
import { fileLinkMinutes } from '../../sandbox';
import { linkDays } from '../../sandbox/service/documents';
import { deliveryBackoffMs, tokenSeconds } from '../../sandbox/service/settings';
import { expectToSay } from './markdown';

const minutes = (ms: number) => `${ms / 60_000} minute${ms === 60_000 ? '' : 's'}`;
const megabytes = (bytes: number) => `${bytes / 1_000_000} MB`;
const withCommas = (value: number) => value.toLocaleString('en-US');
const inWords: Record<number, string> = { 60: 'an hour' };

const defaultDays = Number(
	limitWaitTimeFields.find(({ name }) => name.startsWith('limit'))?.default,
);
const [, ...laterMs] = deletionPausesMs;
const resendMinutes = Math.floor(deliveryBackoffMs.reduce((sum, ms) => sum + ms, 0) / 60_000);

// If a number changes in the code, these tests name the pages that still contain the old one.
test.each([
	[
		'docs/waiting.md',
		`The default is ${defaultDays} days, and the maximum is ${withCommas(maxDays)} days`,
	],
	['docs/test-and-publish.md', `stops waiting after ${defaultDays} days`],
	['docs/signed-files.md', `no more than ${downloadLimits.totalMs / 1000} seconds in total`],
	['docs/signed-files.md', `up to ${megabytes(maxResponseBytes.file)}`],
	['docs/dev/behavior.md', `at most ${maxDownloads} files at once`],
	['docs/dev/behavior.md', `no more than ${maxDownloadsOfAccount} of each`],
	['docs/dev/behavior.md', `${keptDownloads} of each are kept for accounts`],
	['docs/signed-files.md', `take up to ${minutes(executionFileMs)}`],
	['docs/install.md', `a pause of more than ${minutes(executionCallMs)}`],
	['docs/install.md', `0, or ${minRequestsPerSecond} to 1,000`],
	['docs/troubleshooting.md', `retried for up to ${minutes(executionCallMs)}`],
	['docs/troubleshooting.md', `more than about ${n8nDeadlineMs / 1000} seconds`],
	['docs/go-live.md', `to ${megabytes(maxResponseBytes.single)}`],
	['docs/troubleshooting.md', `tries again after ${laterMs.map(minutes).join(' and after ')}`],
	[
		'docs/sandbox.md',
		`keeps resending it for a little over ${resendMinutes === 1 ? 'a minute' : `${resendMinutes} minutes`}`,
	],
	['docs/sandbox.md', `access tokens expire after ${minutes(tokenSeconds * 1000)}`],
	['docs/sandbox.md', `links to files after ${inWords[fileLinkMinutes]}`],
	['docs/sandbox.md', `signing links after ${linkDays} days`],
])('%s contains the number in the code: %s', (page, words) => {
	expectToSay(page, words);
});
