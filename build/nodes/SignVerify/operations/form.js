import { updateDisplayOptions } from 'n8n-workflow';
import { defaultTimeout } from '../http/client';
import { readAll, readNumber } from './problems';
import { readSwitch } from './parameters';
const defaultParallel = 10;
const mostParallel = 50;
const defaultTimeoutSeconds = defaultTimeout / 1000;
const callOptions = [
    {
        displayName: 'Parallel Requests',
        name: 'parallelRequests',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: mostParallel },
        default: defaultParallel,
        description: 'How many items may be sent at the same time',
    },
    {
        displayName: 'Requests per Second',
        name: 'requestsPerSecond',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: 0,
        description: 'How many calls to make per second at the most. 0 means as fast as the service allows.',
    },
    {
        displayName: 'Timeout',
        name: 'timeout',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: defaultTimeoutSeconds,
        description: 'How many seconds the service may take to answer one call',
    },
];
export function optionsField(own = []) {
    return {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        options: [...own, ...callOptions].sort((left, right) => left.displayName.localeCompare(right.displayName)),
    };
}
export function readCallOptions(context) {
    const given = (name, fallback) => context.getNodeParameter(`options.${name}`, 0, fallback);
    const { parallel, perSecond, seconds } = readAll({
        parallel: () => readNumber(given('parallelRequests', defaultParallel), 'Parallel Requests', {
            least: 1,
            most: mostParallel,
            isWhole: true,
        }),
        perSecond: () => readNumber(given('requestsPerSecond', 0), 'Requests per Second', { least: 0, most: 1000 }),
        seconds: () => readNumber(given('timeout', defaultTimeoutSeconds), 'Timeout', { most: 3600 }),
    });
    return { parallel, perSecond, timeout: seconds * 1000 };
}
export const limitFields = [
    {
        displayName: 'Return All',
        name: 'returnAll',
        type: 'boolean',
        default: false,
        description: 'Whether to return all results or only up to a given limit',
    },
    {
        displayName: 'Limit',
        name: 'limit',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 50,
        displayOptions: { show: { returnAll: [false] } },
        description: 'Max number of results to return',
    },
];
export function readLimit(item) {
    if (readSwitch(item, 'returnAll', 'Return All'))
        return Infinity;
    return readNumber(item.parameter('limit'), 'Limit', { least: 1, isWhole: true });
}
export function filtersField(options) {
    return {
        displayName: 'Filters',
        name: 'filters',
        type: 'collection',
        placeholder: 'Add filter',
        default: {},
        options,
    };
}
export function locatorField(field, placeholder, searchListMethod) {
    return {
        ...field,
        type: 'resourceLocator',
        default: { mode: 'list', value: '' },
        required: true,
        modes: [
            {
                displayName: 'From List',
                name: 'list',
                type: 'list',
                placeholder,
                typeOptions: { searchListMethod, searchable: true },
            },
            {
                displayName: 'By ID',
                name: 'id',
                type: 'string',
                placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
            },
        ],
    };
}
export const formVersions = [1, 1.1];
export function hasTodaysForm({ execute }) {
    return execute.getNode().typeVersion > 1;
}
export function firstForm(fields) {
    return updateDisplayOptions({ show: { '@version': [1] } }, fields);
}
export function todaysForm(fields) {
    return updateDisplayOptions({ show: { '@version': [{ _cnd: { gte: 1.1 } }] } }, fields);
}
