import { plainText } from '../util/plainText';
import { objectOf } from '../util/values';
export function createItemContexts(execute, service) {
    const lookups = new Map();
    const hints = new Set();
    let form;
    const shared = async (key, load) => {
        let lookup = lookups.get(key);
        if (!lookup) {
            lookup = load();
            lookups.set(key, lookup);
        }
        return (await lookup);
    };
    const hint = (text) => {
        const message = plainText(text);
        if (hints.has(message))
            return;
        hints.add(message);
        execute.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
    };
    const saved = (name) => {
        form ??= execute.getNode().parameters;
        return name.split('.').reduce((value, part) => objectOf(value)[part], form);
    };
    return (itemIndex) => ({
        execute,
        itemIndex,
        get input() {
            return execute.getInputData()[itemIndex] ?? { json: {} };
        },
        service,
        shared,
        hint,
        saved,
        parameter: (name) => execute.getNodeParameter(name, itemIndex, null) ?? undefined,
        locator: (name) => {
            const value = execute.getNodeParameter(name, itemIndex, '', { extractValue: true });
            return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
        },
    });
}
