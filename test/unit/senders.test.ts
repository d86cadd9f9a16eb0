import { isAllowedSender, readSenders } from '../../nodes/SignVerify/notifications/senders';

const allows = (list: unknown, ip: string | undefined) => isAllowedSender(readSenders(list), ip);

describe('allowed sender addresses', () => {
	test.each([
		['203.0.113.7', '203.0.113.7'],
		['203.0.113.7', '::ffff:203.0.113.7'],
		['::ffff:203.0.113.7', '203.0.113.7'],
		[' 198.51.100.1 , 203.0.113.0/24,', '203.0.113.255'],
		['203.0.113.7/32', '203.0.113.7'],
		['0.0.0.0/0', '8.8.8.8'],
		['2001:db8::/32', '2001:db8:ffff::1'],
		['2001:DB8::1', '2001:0db8:0:0:0:0:0:1'],
		['::1', '::1'],
		['::ffff:10.0.0.0/104', '10.200.0.1'],
		['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107'],
		['', '8.8.8.8'],
		[undefined, undefined],
	])('%j lets %s in', (list, ip) => {
		expect(allows(list, ip)).toBe(true);
	});

	test.each([
		['203.0.113.7', '203.0.113.8'],
		['203.0.113.0/24', '203.0.114.0'],
		['203.0.113.7/31', '203.0.113.8'],
		['0.0.0.0/0', '2001:db8::1'],
		['::/0', '8.8.8.8'],
		['2001:db8::/32', '2001:db9::1'],
		['203.0.113.7', undefined],
		['203.0.113.7', 'nonsense'],
	])('%j keeps %s out', (list, ip) => {
		expect(allows(list, ip)).toBe(false);
	});

	test.each([
		'example.com',
		'1.2.3',
		'1.2.3.256',
		'1.2.3.4/33',
		'1.2.3.4/',
		'1.2.3.4/8/8',
		'1.2.3.4/-1',
		'1::2::3',
		'1:2:3:4:5:6:7:8:9',
		'::12345',
		'::/129',
		'1.2.3.4::',
		'::ffff:1.2.3.4/8',
		'203.0.113.7; 203.0.113.8',
	])('%j is an error that says so', (entry) => {
		expect(() => readSenders(`203.0.113.7, ${entry}`)).toThrow(
			`Allowed Sender Addresses: "${entry}" is not an IP address or range`,
		);
	});
});
