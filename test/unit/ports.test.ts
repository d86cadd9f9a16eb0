import { existsSync, readFileSync } from 'node:fs';

import { checkPort, freePorts, PortTakenError } from '../../host/ports';
import { serve } from '../support/stub';

/** Where Linux lists the ports that it uses for outgoing connections. */
const rangeFile = '/proc/sys/net/ipv4/ip_local_port_range';

(existsSync(rangeFile) ? test : test.skip)(
	"a port for a server that restarts is never one that the system gives to another program's connection",
	async () => {
		const first = Number(readFileSync(rangeFile, 'utf8').split(/\s+/)[0]);
		for (const port of await freePorts(50)) expect(port).toBeLessThan(first);
	},
);

test('free ports are all different, and nothing listens on them', async () => {
	const ports = await freePorts(20);
	expect(new Set(ports).size).toBe(20);
	for (const port of ports) await expect(checkPort(port, 'N8N_PORT')).resolves.toBeUndefined();
});

test('a port that another server uses is refused with the variable to set', async () => {
	const other = await serve((response) => response.end());
	const port = Number(new URL(other.url).port);
	await expect(checkPort(port, 'N8N_PORT')).rejects.toBeInstanceOf(PortTakenError);
	await other.close();
});
