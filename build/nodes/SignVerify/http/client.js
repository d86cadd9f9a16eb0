import { attempt, delay, withTimeout } from '../util/async';
import { redact } from '../util/redact';
import { textOf } from '../util/values';
import { normalizeBaseUrl, originOf } from './baseUrl';
import { readBody } from './body';
import { cancelled, credentialUnread, toServiceError } from './network';
import { describeBody } from './envelope';
import { ServiceError } from './errors';
import { RateLimiter } from './rateLimiter';
import { httpOptions, kindOf } from './request';
import { isRefusedToken, readAnswer } from './response';
import { RetryBudget, RetryPolicy } from './retry';
const credentialType = 'signVerifyApi';
export const defaultTimeout = 30_000;
const shortRetryTime = 10_000;
const mostRefused = 3;
export class ServiceClient {
    context;
    retryBudget;
    credential;
    secrets = new Set();
    timeout;
    maxRetryTime;
    rateLimiter;
    retries = 0;
    signal;
    constructor(context, { timeout, maxRetryTime, perSecond, parallel } = {}) {
        this.context = context;
        this.timeout = timeout ?? defaultTimeout;
        this.maxRetryTime = maxRetryTime ?? shortRetryTime;
        this.rateLimiter = new RateLimiter(perSecond);
        this.retryBudget = new RetryBudget(parallel);
        this.signal =
            'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
    }
    async call(request) {
        const policy = new RetryPolicy(kindOf(request), this.maxRetryTime);
        let current = request;
        for (;;) {
            if (!(await this.rateLimiter.acquire(this.signal, policy.deadline)))
                throw cancelled();
            const outcome = await this.attempt(current);
            if (!(outcome instanceof ServiceError)) {
                this.rateLimiter.onSuccess();
                this.retryBudget.onSuccess();
                return outcome;
            }
            const { limited, retryAfter } = outcome;
            const wait = policy.next(outcome, this.retryBudget, () => limited ? this.rateLimiter.backOff(retryAfter) : policy.backoff());
            this.retries++;
            if (outcome.repeat === 'ifIdempotent' && request.method === 'DELETE') {
                current = { ...request, ignoreNotFound: true };
            }
            if (!limited && !(await delay(wait, this.signal)))
                throw cancelled();
        }
    }
    describe(answer) {
        return describeBody(answer, (text) => redact(text, [...this.secrets]));
    }
    async attempt(request) {
        const hide = (text) => redact(text, [...this.secrets, ...(request.secrets ?? [])]);
        let origin = 'The service';
        let credential;
        try {
            credential = await this.getCredential();
            const refused = [];
            for (let mayRenew = true;;) {
                const baseUrl = normalizeBaseUrl(credential.baseUrl);
                origin = originOf(baseUrl);
                const before = credential.accessToken;
                const answer = await this.send(baseUrl, request, credential);
                if (!isRefusedToken(answer))
                    return readAnswer(answer, request, origin, hide);
                refused.push(before === '' ? credential.accessToken : before);
                const next = await this.credentialAfter(refused, mayRenew);
                if (!next)
                    return readAnswer(answer, request, origin, hide);
                credential = next.credential;
                mayRenew &&= next.isOfAnother;
            }
        }
        catch (error) {
            const hadToken = credential !== undefined && credential.accessToken !== '';
            return toServiceError(error, request, origin, hadToken);
        }
    }
    async credentialAfter(refused, mayRenew) {
        if (refused.length > mostRefused)
            return undefined;
        const held = this.credential;
        const current = await this.getCredential();
        if (mayRenew && current.accessToken !== refused.at(-1)) {
            return { credential: current, isOfAnother: false };
        }
        if (mayRenew && this.credential !== held) {
            return { credential: await this.getCredential(), isOfAnother: false };
        }
        const reading = this.readCredential().then((stored) => {
            const isNew = stored.accessToken !== '' && !refused.includes(stored.accessToken);
            if (isNew)
                return { credential: stored, isOfAnother: true };
            const renewing = { ...stored, accessToken: '', expiredToken: textOf(refused.at(-1)) };
            return { credential: renewing, isOfAnother: false };
        });
        if (mayRenew) {
            void this.hold(reading.then(({ credential }) => credential));
            return await reading;
        }
        const next = await reading;
        if (!next.isOfAnother)
            return undefined;
        void this.hold(Promise.resolve(next.credential));
        return next;
    }
    async getCredential() {
        return await (this.credential ?? this.hold(this.readCredential()));
    }
    hold(reading) {
        this.credential = reading;
        reading.catch(() => {
            if (this.credential === reading)
                this.credential = undefined;
        });
        return reading;
    }
    async readCredential() {
        const read = await attempt(this.context.getCredentials(credentialType));
        if (!read.ok)
            throw credentialUnread(read.error);
        return { ...read.value, timeout: this.timeout };
    }
    async send(baseUrl, request, credential) {
        const time = credential.accessToken === '' ? 2 * this.timeout : this.timeout;
        const start = async (signal) => {
            const options = httpOptions(`${baseUrl}${request.path}`, request, this.timeout);
            options.abortSignal = signal;
            const answer = this.context.helpers.httpRequestWithAuthentication.call(this.context, credentialType, options, { credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential } });
            options.abortSignal = signal;
            return await readBody((await answer), signal);
        };
        try {
            return await withTimeout(start, time, this.signal);
        }
        finally {
            this.secrets.add(credential.apiKey).add(credential.accessToken).add(credential.expiredToken);
        }
    }
}
