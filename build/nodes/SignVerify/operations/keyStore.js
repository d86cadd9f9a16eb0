import { createHash } from 'crypto';
import { InputError } from '../http/errors';
import { attempt, KeyedMutex } from '../util/async';
import { isEmpty } from '../util/values';
const scope = 'node';
const mostEntries = 10;
const longestKey = 500;
const mostTries = 3;
const mutex = new KeyedMutex();
export class KeyStore {
    execute;
    node;
    owner;
    constructor(execute, node, owner) {
        this.execute = execute;
        this.node = node;
        this.owner = owner;
    }
    static isAvailable(execute) {
        return typeof execute.node?.id === 'string';
    }
    static ofNode(execute) {
        const node = execute.node ?? { id: '' };
        return new KeyStore(execute, node, node.id);
    }
    static ofWorkflow(execute) {
        return new KeyStore(execute, execute.node ?? { id: '' }, 'signVerify');
    }
    async alone(key, work) {
        return await mutex.run(`${this.execute.getWorkflow().id} ${this.owner} ${key}`, work);
    }
    async count(key) {
        return await this.inListOf(key, async (store) => await store.getProcessedDataCount(scope, { mode: 'entries' }));
    }
    async add(key, entries, most = mostEntries) {
        const options = { mode: 'entries', maxEntries: most };
        const { processed } = await this.inListOf(key, async (store) => await store.checkProcessedAndRecord(entries, scope, options));
        return { before: processed.map(String) };
    }
    async create(key, entry, ...more) {
        for (let tries = 1;; tries++) {
            const made = await attempt(this.add(key, [entry, ...more]));
            if (made.ok)
                return !made.value.before.includes(entry);
            if ((await this.count(key)) > 0)
                return false;
            if (tries === mostTries)
                throw made.error;
        }
    }
    async clear(key) {
        await this.inListOf(key, async (store) => await store.clearAllProcessedItems(scope, { mode: 'entries' }));
    }
    async recordTime(key, time) {
        const options = { mode: 'latestIncrementalKey' };
        for (let tries = 1;; tries++) {
            const moved = await attempt(this.inListOf(key, async (store) => await store.checkProcessedAndRecord([time], scope, options)));
            if (moved.ok)
                return moved.value.new.length > 0;
            if (tries === mostTries)
                throw moved.error;
        }
    }
    async inListOf(key, call) {
        const { id } = this.node;
        this.node.id = `${this.owner}:${createHash('sha256').update(key).digest('base64url')}`;
        let answer;
        try {
            answer = call(this.execute.helpers);
        }
        finally {
            this.node.id = id;
        }
        return await answer;
    }
}
export function readKeyToKeep(execute, value, field, remedy) {
    const key = canBeKey(value) ? String(value).trim() : '';
    if (!key) {
        const problem = isEmpty(value)
            ? 'the expression gives nothing for this item'
            : 'it is not a text or a number';
        throw new InputError(field, problem, remedy);
    }
    if (key.length > longestKey) {
        throw new InputError(field, `it is longer than ${longestKey} characters`, remedy);
    }
    if (!KeyStore.isAvailable(execute)) {
        const other = 'Remove the key, or use another version of n8n.';
        throw new InputError(field, 'this version of n8n cannot keep it', other);
    }
    if (execute.getWorkflow().id)
        return key;
    const save = 'Save the workflow: n8n keeps the keys with it.';
    throw new InputError(field, 'this workflow has not been saved', save);
}
function canBeKey(value) {
    return typeof value === 'string' || Number.isFinite(value);
}
