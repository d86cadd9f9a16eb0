import { InputError, ServiceError } from '../http/errors';
const runs = new WeakMap();
export async function oncePerRun(execute, work) {
    const entry = execute.getExecuteData();
    const input = execute.getInputData()[0]?.json;
    let run = runs.get(entry);
    if (!run || run.input !== input) {
        run = { input, ended: work() };
        runs.set(entry, run);
    }
    return (await run.ended).map((items) => [...items]);
}
export function triesOf({ retryOnFail, maxTries, waitBetweenTries }) {
    if (retryOnFail !== true)
        return { most: 1, wait: 0 };
    return {
        most: Math.min(5, Math.max(2, maxTries || 3)),
        wait: Math.min(5000, Math.max(0, waitBetweenTries || 1000)),
    };
}
const harmless = new WeakSet();
export function asRepeatable(error) {
    if (error instanceof Error && !(error instanceof InputError))
        harmless.add(error);
    return error;
}
export async function repeatable(work) {
    try {
        return await work;
    }
    catch (error) {
        throw asRepeatable(error);
    }
}
export function canTryAgain(error) {
    if (error instanceof ServiceError)
        return !error.mayHaveCreated;
    return error instanceof Error && harmless.has(error);
}
