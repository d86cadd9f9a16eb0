export async function runItems(count, work, { parallel, stopOnFailure, signal }) {
    const settled = Array.from({ length: count }, () => ({ state: 'notStarted' }));
    let next = 0;
    let failed = false;
    const hasNext = () => next < count && !(failed && stopOnFailure) && !signal?.aborted;
    const mayStart = staggerStarts();
    const worker = async () => {
        while (hasNext()) {
            await mayStart();
            if (!hasNext())
                return;
            const index = next++;
            try {
                settled[index] = { state: 'done', output: await work(index) };
            }
            catch (error) {
                settled[index] = { state: 'failed', error };
                failed = true;
            }
        }
    };
    await Promise.all(Array.from({ length: Math.min(Math.max(parallel, 1), count) }, worker));
    return settled;
}
function staggerStarts() {
    let last = Promise.resolve();
    return async () => {
        const mine = last;
        last = mine.then(yieldToEventLoop);
        await mine;
    };
}
async function yieldToEventLoop() {
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
        port1.once('message', resolve);
        port2.postMessage(undefined);
    });
    port1.close();
}
