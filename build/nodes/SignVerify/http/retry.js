export const mostTries = {
    read: { limited: 60, always: 4, ifIdempotent: 4, never: 1 },
    delete: { limited: 60, always: 4, ifIdempotent: 4, never: 1 },
    create: { limited: 60, always: 4, ifIdempotent: 1, never: 1 },
};
const firstDelay = 300;
const longestDelay = 15_000;
export class RetryPolicy {
    kind;
    maxRetryTime;
    tries = { limited: 0, other: 0 };
    start = Date.now();
    constructor(kind, maxRetryTime) {
        this.kind = kind;
        this.maxRetryTime = maxRetryTime;
    }
    shouldRetry({ repeat, limited }) {
        const tries = ++this.tries[limited ? 'limited' : 'other'];
        return tries < mostTries[this.kind][limited ? 'limited' : repeat];
    }
    get deadline() {
        return this.start + this.maxRetryTime;
    }
    hasTimeFor(wait) {
        return Date.now() + wait <= this.deadline;
    }
    backoff() {
        const full = Math.min(firstDelay * 2 ** (this.tries.other - 1), longestDelay);
        return full * (0.5 + Math.random() / 2);
    }
    summary() {
        const seconds = Math.round((Date.now() - this.start) / 1000);
        const tries = this.tries.limited + this.tries.other;
        return tries > 1 ? ` It was tried ${tries} times in ${seconds} seconds.` : '';
    }
    next(failure, budget, waitTime, limited = failure.limited) {
        const mayRetry = this.shouldRetry({ repeat: failure.repeat, limited });
        const wait = waitTime();
        if (!mayRetry || !this.hasTimeFor(wait))
            throw failure.withDetail(this.summary());
        if (failure.limited || budget.spend())
            return wait;
        throw failure.withDetail(this.summary() + budgetSpent);
    }
}
const fewestCalls = 10;
export function retryAllowance(parallel = fewestCalls) {
    return (mostTries.read.always - 1) * Math.max(parallel, fewestCalls);
}
const successesPerRetry = 5;
export class RetryBudget {
    allowance;
    left;
    constructor(parallel) {
        this.allowance = retryAllowance(parallel) * successesPerRetry;
        this.left = this.allowance;
    }
    spend() {
        if (this.left < successesPerRetry)
            return false;
        this.left -= successesPerRetry;
        return true;
    }
    onSuccess() {
        this.left = Math.min(this.left + 1, this.allowance);
    }
}
const budgetSpent = ' There was no further retry, because many calls of this execution failed.';
