import { differenceOf } from '../../nodes/SignVerify/registrations/returnedUrl';
import {
	newSecret,
	secretIn,
	urlWithSecret,
} from '../../nodes/SignVerify/registrations/webhookSecret';
import { textOf } from '../../nodes/SignVerify/util/values';
import { expectLinear } from '../support/growth';
import {
	harmlessChanges,
	harmlessForTrigger,
	isSigned,
	signed,
	type UrlChange,
	withoutQuery,
	wrongForTrigger,
	wrongForWait,
} from '../support/returnedUrls';

const secret = newSecret();
const triggerUrl = urlWithSecret('https://n8n.example/webhook/abc/signverify', secret);
const waitUrl = signed(
	`https://n8n.example/webhook-waiting/12/node?secret=${secret}&until=1790000000123`,
);

const after = (url: string, change: UrlChange) => textOf(change(url));
const effectOf = (url: string, returned: string) => differenceOf(url, returned)?.effect;
const breaking = ['noEvents', 'noEventsIfListed'];

describe("A returned URL of a trigger's webhook", () => {
	test.each(Object.entries({ ...harmlessChanges, ...harmlessForTrigger }))(
		'is not certainly wrong if the service shows it %s',
		(_how, change) => {
			expect(breaking).not.toContain(effectOf(triggerUrl, after(triggerUrl, change)));
		},
	);

	test.each(Object.entries(wrongForTrigger))('is certainly wrong %s', (_how, change) => {
		expect(effectOf(triggerUrl, after(triggerUrl, change))).toBe('noEvents');
	});
});

describe("A returned URL of a wait's webhook", () => {
	test.each(Object.entries(harmlessChanges))(
		'is not certainly wrong if the service shows it %s',
		(_how, change) => {
			expect(breaking).not.toContain(effectOf(waitUrl, after(waitUrl, change)));
		},
	);

	test.each(Object.entries(wrongForWait))('is certainly wrong %s', (_how, change) => {
		const returned = after(waitUrl, change);
		expect(effectOf(waitUrl, returned)).toBe('noEvents');
		// n8n rejects a call to this URL, or the node does.
		expect(isSigned(returned) && secretIn(returned) === secret).toBe(false);
	});

	test('is fine wherever n8n accepts a call with the right secret', () => {
		const moved = waitUrl.replace(/\?(.*)&(signature=.*)/, '?$2&$1');
		for (const returned of [moved, waitUrl.replace('until=', '&until='), `${waitUrl}&`]) {
			expect(isSigned(returned)).toBe(true);
			expect(differenceOf(waitUrl, returned)).toBeUndefined();
		}
	});
});

test('A returned URL without any parameters is wrong if the list of webhooks shows the same', () => {
	for (const url of [triggerUrl, waitUrl]) {
		expect(effectOf(url, after(url, withoutQuery))).toBe('noEventsIfListed');
		expect(effectOf(url, `${after(url, withoutQuery)}?id=17`)).toBe('noEventsIfListed');
	}
	const plain = 'https://n8n.example/hook';
	expect(differenceOf(plain, 'https://n8n.example/hook/')).toBeUndefined();
});

test('A returned URL is the same in every spelling of its host and its path', () => {
	const url = `https://münchen.example/größe/webhook/abc/signverify?secret=${secret}`;
	expect(differenceOf(url, new URL(url).href)).toBeUndefined();
	expect(differenceOf(url, new URL(url).href.replace('%C3', '%c3'))).toBeUndefined();
	expect(differenceOf(url, url.replace('ü', 'u'))?.effect).toBe('unclear');
	expect(differenceOf('not a URL', url)).toBeUndefined();
});

test('The words for a difference contain no value of either URL', () => {
	const changes = { ...harmlessChanges, ...wrongForWait, ...wrongForTrigger };
	for (const url of [triggerUrl, waitUrl]) {
		for (const change of Object.values(changes)) {
			const words = differenceOf(url, after(url, change))?.words ?? '';
			expect(words).toMatch(/^[\w ]*(?:, or with the same ones in another order)?$/);
			expect(words.split(' ').filter((word) => word.length > 12)).toEqual([]);
		}
	}
});

test('A returned URL of any length is compared in linear time', async () => {
	await expectLinear(40_000, (length) => {
		const returned = `${waitUrl}&a=${'&b='.repeat(length / 3)}`;
		return () => differenceOf(waitUrl, returned);
	});
});
