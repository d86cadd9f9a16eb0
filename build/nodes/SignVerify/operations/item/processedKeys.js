import { attempt } from '../../util/async';
import { KeyStore } from '../keyStore';
import { asRepeatable, repeatable } from '../tries';
const begun = 'begun';
const inRetry = 'in a retry';
const processed = 'processed';
function beginning(key, turn) {
    return `${key}\nbegun ${turn}`;
}
function timeOf(key, turn) {
    return `${key}\ntime ${turn}`;
}
export class ProcessedKeys {
    store;
    constructor(store) {
        this.store = store;
    }
    static of(execute) {
        return new ProcessedKeys(KeyStore.ofWorkflow(execute));
    }
    async begin(key, beginner) {
        return await this.store.alone(key, async () => {
            const turn = await repeatable(this.beginTurn(key, beginner));
            if (typeof turn !== 'number')
                return turn;
            const finished = await attempt(this.isProcessed(key));
            if (!finished.ok) {
                await this.store.clear(beginning(key, turn));
                throw asRepeatable(finished.error);
            }
            if (!finished.value)
                return 'begun';
            await this.forgetTurns(key, turn);
            return 'processed';
        });
    }
    async beginTurn(key, { abandonedBefore, isRetry }) {
        if (await this.isProcessed(key))
            return 'processed';
        const turn = await this.lastTurn(key);
        const mayTakeOver = turn === 0 || (isRetry && !(await this.isOfRetry(key, turn)));
        if (!mayTakeOver && !(await this.store.recordTime(timeOf(key, turn), abandonedBefore))) {
            return 'underWay';
        }
        await this.store.recordTime(timeOf(key, turn + 1), Date.now());
        const entries = isRetry ? [inRetry] : [];
        const isFirst = await this.store.create(beginning(key, turn + 1), begun, ...entries);
        return isFirst ? turn + 1 : 'underWay';
    }
    async finish(key) {
        return await this.store.alone(key, async () => {
            if (await this.isProcessed(key))
                return true;
            const turns = await this.lastTurn(key);
            if (turns === 0)
                return await this.isProcessed(key);
            await this.store.create(key, processed);
            await attempt(this.forgetTurns(key, turns));
            return true;
        });
    }
    async isProcessed(key) {
        return (await this.store.count(key)) > 0;
    }
    async isOfRetry(key, turn) {
        return (await this.store.count(beginning(key, turn))) > 1;
    }
    async lastTurn(key) {
        let turn = 0;
        while ((await this.store.count(beginning(key, turn + 1))) > 0)
            turn++;
        return turn;
    }
    async forgetTurns(key, last) {
        for (let turn = last; turn > 0; turn--) {
            await this.store.clear(beginning(key, turn));
            await this.store.clear(timeOf(key, turn));
        }
    }
}
