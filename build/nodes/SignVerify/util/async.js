import { sleep } from 'n8n-workflow';
export async function attempt(work) {
    try {
        return { ok: true, value: await work };
    }
    catch (error) {
        return { ok: false, error };
    }
}
export async function delay(ms, cancel) {
    if (cancel?.aborted)
        return false;
    if (ms < 1)
        return true;
    if (!cancel) {
        await sleep(ms);
        return true;
    }
    const signal = AbortSignal.any([cancel]);
    let stop = () => { };
    const stopped = new Promise((resolve) => (stop = () => resolve(false)));
    signal.addEventListener('abort', stop);
    try {
        const slept = sleep(ms, signal).then(() => true, () => false);
        return await Promise.race([slept, stopped]);
    }
    finally {
        signal.removeEventListener('abort', stop);
    }
}
export async function withTimeout(start, timeout, cancel) {
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(timeout)));
    const signal = cancel ? AbortSignal.any([cancel, late]) : late;
    let giveUp = () => { };
    const givenUp = new Promise((_, reject) => {
        giveUp = () => reject(late.aborted ? timedOut() : cancelled());
    });
    signal.addEventListener('abort', giveUp);
    try {
        if (signal.aborted)
            throw cancelled();
        return await Promise.race([givenUp, start(signal)]);
    }
    finally {
        signal.removeEventListener('abort', giveUp);
    }
}
function timedOut() {
    return Object.assign(new Error('The answer did not come in time'), { code: 'ETIMEDOUT' });
}
function cancelled() {
    return Object.assign(new Error('The execution was cancelled'), { code: 'ERR_CANCELED' });
}
export class KeyedMutex {
    last = new Map();
    async run(name, work) {
        const before = this.last.get(name) ?? Promise.resolve();
        const running = before.then(work, work);
        this.last.set(name, running);
        try {
            return await running;
        }
        finally {
            if (this.last.get(name) === running)
                this.last.delete(name);
        }
    }
}
