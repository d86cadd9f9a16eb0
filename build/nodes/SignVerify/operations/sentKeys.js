import { KeyStore } from './keyStore';
const claimed = 'claimed';
const confirmed = 'sent';
export class SentKeys {
    store;
    constructor(store) {
        this.store = store;
    }
    static of(execute) {
        return new SentKeys(KeyStore.ofNode(execute));
    }
    async alone(key, work) {
        return await this.store.alone(key, work);
    }
    async claim(key) {
        const state = await this.stateOf(key);
        if (state !== 'new')
            return state;
        if (await this.store.create(key, claimed))
            return 'new';
        return (await this.stateOf(key)) === 'sent' ? 'sent' : 'unknown';
    }
    async stateOf(key) {
        const entries = await this.store.count(key);
        if (entries === 0)
            return 'new';
        return entries > 1 ? 'sent' : 'unknown';
    }
    async confirm(key) {
        await this.store.add(key, confirmed);
    }
    async release(key) {
        await this.store.clear(key);
    }
}
