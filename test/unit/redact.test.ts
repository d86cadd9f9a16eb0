import { redact } from '../../nodes/SignVerify/util/redact';

test('secrets are taken out of words, as they are and as they stand in an address', () => {
	const secret = 'a key/with?signs';
	const words = `x ${secret} y ${encodeURIComponent(secret)} z`;
	expect(redact(words, [secret, undefined, 'abc', ''])).toBe('x … y … z');
	expect(redact('abc stays', ['abc'])).toBe('abc stays');
});
