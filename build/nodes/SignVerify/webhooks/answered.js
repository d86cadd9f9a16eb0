import { mostFileSeconds } from './files';
export const answerTimeout = 2 * mostFileSeconds * 1000;
const lookAgainAfter = 1000;
export function isAcceptance({ statusCode }) {
    return statusCode >= 200 && statusCode < 300;
}
export async function isClosed(response) {
    if (response.closed)
        return;
    await new Promise((resolve) => response.once('close', resolve));
}
export async function isAccepted(response) {
    const start = Date.now();
    await isClosed(response);
    while (!response.writableEnded && Date.now() - start <= answerTimeout)
        await pause();
    return response.writableEnded && isAcceptance(response);
}
async function pause() {
    const signal = AbortSignal.timeout(lookAgainAfter);
    await new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
