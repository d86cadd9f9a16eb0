import { isObject, listOf } from '../util/values';
export function toolOutputFields({ id, fields }) {
    return [
        {
            displayName: 'Output',
            name: 'output',
            type: 'options',
            noDataExpression: true,
            options: [
                { name: 'Raw', value: 'raw', description: 'All fields, as the service gives them' },
                { name: 'Selected Fields', value: 'fields', description: 'Only the fields you choose' },
                { name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
            ],
            default: 'simplified',
            description: 'How much of the answer to give to the AI agent',
        },
        {
            displayName: 'Fields to Return',
            name: 'outputFields',
            type: 'multiOptions',
            options: fields
                .filter((value) => value !== id)
                .sort()
                .map((value) => ({ name: value, value })),
            default: [],
            displayOptions: { show: { output: ['fields'] } },
            description: `Which fields to give to the AI agent, besides ${id}`,
        },
    ];
}
export function reduced(item, outputs, { id, simplify }) {
    const chosen = item.parameter('output');
    if (chosen === undefined || chosen === 'raw')
        return outputs;
    const names = [id, ...listOf(item.parameter('outputFields'))];
    const reduce = chosen === 'fields' ? (json) => pick(json, names) : simplify;
    return outputs.map((output) => ({ ...output, json: reduce(output.json) }));
}
export function pick(json, names) {
    return Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)));
}
export function pickEach(list, names) {
    return Array.isArray(list) ? list.filter(isObject).map((each) => pick(each, names)) : undefined;
}
