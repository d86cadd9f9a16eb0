/**
 * Says whether an address stays on this machine. By name only: nothing is looked up, because what
 * a name leads to can change between the check and the call.
 */
export function isLoopback(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const host = new URL(address).hostname.toLowerCase().replace(/\.$/, '');
	return (
		host === 'localhost' ||
		host.endsWith('.localhost') ||
		host === '[::1]' ||
		/^127(?:\.\d{1,3}){3}$/.test(host)
	);
}
