/**
 * Lets the process see to what has come from the network meanwhile, and goes on after that. A message
 * does that; a timer that is overdue runs ahead of the network.
 */
export async function yieldToEventLoop(): Promise<void> {
	const { port1, port2 } = new MessageChannel();
	await new Promise((resolve) => {
		port1.once('message', resolve);
		port2.postMessage(undefined);
	});
	port1.close();
}
