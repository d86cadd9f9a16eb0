import { delay } from '../util/async';
const firstBackOff = 250;
const limitsToDouble = 4;
const longestBackOff = 30_000;
const longestAsked = 60_000;
const limitsToProbe = 2;
const probeInterval = 250;
const period = 1000;
const firstSpacing = 25;
const mostGrowth = 4 / 3;
const recovery = 1.05;
export class RateLimiter {
    spacing;
    learned = 0;
    since = Date.now();
    passed = 0;
    halted = 0;
    nextSlot = 0;
    blockedUntil = 0;
    consecutiveLimits = 0;
    constructor(perSecond = 0) {
        this.spacing = perSecond > 0 ? 1000 / perSecond : 0;
    }
    async acquire(signal, until = Infinity) {
        for (;;) {
            const now = Date.now();
            const at = Math.max(now, this.blockedUntil, this.nextSlot);
            const spacing = Math.max(this.spacing, this.learnedAt(now));
            const probing = this.consecutiveLimits >= limitsToProbe && at < until;
            if (spacing && !probing)
                this.nextSlot = at + spacing;
            if (!(await delay(at - now, signal)))
                return false;
            if (Date.now() < this.blockedUntil)
                continue;
            if (!probing)
                return true;
            const isOver = this.consecutiveLimits < limitsToProbe;
            const isTaken = this.nextSlot > at;
            if (isOver || isTaken)
                continue;
            this.nextSlot = Date.now() + Math.max(spacing, probeInterval);
            return true;
        }
    }
    backOff(asked) {
        const now = Date.now();
        const before = Math.max(now, this.blockedUntil);
        const isNew = now >= this.blockedUntil;
        if (isNew)
            this.consecutiveLimits++;
        if (asked !== undefined && asked >= firstBackOff) {
            const wait = Math.ceil(Math.min(asked, longestAsked));
            this.blockedUntil = Math.max(this.blockedUntil, now + wait);
        }
        else if (isNew) {
            this.learn(now);
            const doublings = Math.max(this.consecutiveLimits - limitsToDouble, 0);
            const full = Math.min(firstBackOff * 2 ** doublings, longestBackOff);
            this.blockedUntil = now + Math.ceil(full * (0.5 + Math.random() / 2));
        }
        this.halted += Math.max(this.blockedUntil - before, 0);
        return this.blockedUntil - now;
    }
    onSuccess() {
        this.consecutiveLimits = 0;
        this.passed++;
    }
    learn(now) {
        if (this.passed === 0 || now - this.since < period)
            return;
        const mean = (now - this.since) / this.passed;
        this.learned = Math.min(mean, Math.max(mostGrowth * this.learnedAt(now), firstSpacing));
        this.since = now;
        this.passed = 0;
    }
    learnedAt(now) {
        return this.learned / recovery ** ((now - this.since) / 1000);
    }
}
export function readRetryAfter(value) {
    const text = Array.isArray(value) ? value[0] : value;
    if (typeof text !== 'string' && typeof text !== 'number')
        return undefined;
    const seconds = Number(text);
    const isNumber = text !== '' && Number.isFinite(seconds);
    const wait = isNumber ? seconds * 1000 : Date.parse(String(text)) - Date.now();
    return wait > 0 ? wait : undefined;
}
