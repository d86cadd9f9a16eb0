import { createHash } from 'crypto';
import { attempt } from '../util/async';
import { KeyStore } from './keyStore';
const claimed = 'claimed';
const confirmed = 'sent';
function idList(key) {
    return `${key}\nid`;
}
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
    async confirm(key, id = '') {
        const places = placesOf(id);
        if (places.length > 0)
            await attempt(this.store.add(idList(key), places, places.length));
        await this.store.add(key, [confirmed]);
    }
    async idOf(key) {
        const list = idList(key);
        const count = await this.store.count(list);
        if (!isCountOfPlaces(count))
            return undefined;
        const { before } = await this.store.add(list, placesToAsk(count), count);
        const id = idFrom(before);
        if (id !== undefined)
            await this.store.add(list, before, before.length);
        return id;
    }
    async release(key) {
        await this.store.clear(key);
    }
}
const keepable = /^[\w.:~+/=-]{1,64}$/;
const alphabet = [
    ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    ...'abcdefghijklmnopqrstuvwxyz',
    ...'0123456789_.:~+/=-',
];
const checkLength = 6;
function checkOf(id) {
    return createHash('sha256').update(id).digest('base64url').slice(0, checkLength);
}
export function placesOf(id) {
    if (!keepable.test(id))
        return [];
    return [...`${id}${checkOf(id)}`].map((character, place) => `${place}:${character}`);
}
export function placesToAsk(count) {
    return Array.from({ length: count }, (_, place) => alphabet.map((character) => `${place}:${character}`)).flat();
}
export function isCountOfPlaces(count) {
    return count > checkLength && count <= 64 + checkLength;
}
export function idFrom(found) {
    const text = found.map((each) => each.slice(each.indexOf(':') + 1)).join('');
    const id = text.slice(0, -checkLength);
    const isWhole = found.every((each, place) => each.startsWith(`${place}:`));
    return isWhole && id !== '' && checkOf(id) === text.slice(-checkLength) ? id : undefined;
}
