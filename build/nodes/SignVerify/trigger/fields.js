import { defaultFileSeconds, mostFileSeconds } from '../webhooks/files';
import { events } from '../api/events';
import { simplifyField } from '../webhooks/simplify';
import { filtersField } from './filters';
const words = Object.fromEntries(events.map(({ name, value }) => [value, name.toLowerCase()]));
export const subtitle = `={{ [$parameter["events"]].flat().map((event) => (${JSON.stringify(words)})[event] ?? event).join(", ") }}`;
export const triggerFields = [
    {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        options: events,
        default: ['completedDocument'],
        description: 'What to start the workflow for',
        builderHint: {
            propertyHint: 'completedDocument comes once, when everybody has signed. signDocument comes for each signature.',
        },
    },
    simplifyField,
    {
        displayName: 'Download Files',
        name: 'downloadFiles',
        type: 'boolean',
        default: false,
        description: 'Whether to attach the document and its certificates to the item. Their links expire, so this is the moment to take them.',
        builderHint: {
            propertyHint: 'The binary fields are called document, certificate and pscCertificate.',
        },
    },
    filtersField,
    {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        options: [
            {
                displayName: 'File Time Limit',
                name: 'fileSeconds',
                type: 'number',
                typeOptions: { minValue: 1, maxValue: mostFileSeconds },
                default: defaultFileSeconds,
                description: 'How many seconds "Download Files" may take. The event comes without a file that is not there by then.',
            },
        ],
    },
];
