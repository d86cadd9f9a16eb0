import { allOf, InputError } from '../http/errors';
export class Problems {
    found = [];
    collect(read) {
        try {
            return read();
        }
        catch (error) {
            this.note(error);
            return undefined;
        }
    }
    async collectLater(read) {
        try {
            return await read();
        }
        catch (error) {
            if (!(error instanceof InputError))
                this.throwIfAny();
            this.note(error);
            return undefined;
        }
    }
    throwIfAny() {
        const [first, ...others] = this.found;
        if (first)
            throw allOf([first, ...others]);
    }
    settle(values) {
        this.throwIfAny();
        return values;
    }
    note(error) {
        if (!(error instanceof InputError))
            throw error;
        this.found.push(error);
    }
}
export function readAll(readers) {
    const problems = new Problems();
    const read = Object.entries(readers).map(([name, reader]) => [
        name,
        problems.collect(reader),
    ]);
    problems.throwIfAny();
    return Object.fromEntries(read);
}
export function readEach(entries, read) {
    const problems = new Problems();
    const values = entries.map((entry, index) => problems.collect(() => read(entry, index)));
    problems.throwIfAny();
    return values;
}
export function readNumber(value, field, range, topic) {
    const { least = Number.MIN_VALUE, most = Number.MAX_VALUE, isWhole } = range;
    const number = typeof value === 'string' && !value.trim() ? NaN : Number(value ?? NaN);
    const isIn = number >= least && number <= most;
    if (isIn && (!isWhole || Number.isInteger(number)))
        return number;
    throw new InputError(field, `it must be ${wordsOf(range)}`, 'Enter such a number.', topic);
}
function wordsOf({ least, most, isWhole }) {
    const from = least === undefined ? 'above 0' : `of at least ${least}`;
    const to = most === undefined ? '' : ` and at most ${most}`;
    return `a ${isWhole ? 'whole ' : ''}number ${from}${to}`;
}
