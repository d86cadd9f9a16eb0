import { requestVerification } from '../../api/identity';
import { textOf } from '../../util/values';
import { checkOnlyOption, sendOnceOption } from '../sendItem';
import { optionsField } from '../form';
import { readEmail, readSwitch, readText } from '../parameters';
import { readAll } from '../problems';
export const requestFields = [
    {
        displayName: 'Email',
        name: 'email',
        type: 'string',
        default: '',
        required: true,
        placeholder: 'name@email.com',
        description: 'E-mail address of the person to verify',
        builderHint: {
            propertyHint: 'Nobody mails this person the link. Send the url that the operation request puts out.',
        },
    },
    {
        displayName: 'Verification Type',
        name: 'verificationType',
        type: 'string',
        default: 'FACE',
        required: true,
        description: 'FACE, or another type that your provider told you',
    },
    {
        displayName: 'Background Check',
        name: 'backgroundCheck',
        type: 'boolean',
        default: false,
        description: 'Whether the service is also to check the background of the person',
    },
];
export function readRequest(item) {
    return readAll({
        email: () => readEmail(item.parameter('email'), 'Email'),
        type: () => readText(item.parameter('verificationType'), 'Verification Type', 'Enter FACE.'),
        backgroundCheck: () => readSwitch(item, 'backgroundCheck', 'Background Check'),
    });
}
export async function sendRequest(item, body) {
    const answer = await requestVerification(item.service, body);
    const json = { email: body.email, ...answer };
    const sentId = textOf(json.validationId);
    return { json, created: `identity request ${sentId}`.trim(), sentId };
}
export const requestIdentity = {
    resource: 'identity',
    value: 'request',
    name: 'Request',
    action: 'Request identity verification',
    description: 'Ask for the verification of a person. Gives a link to send to the person, who registers an ID and a selfie there, and a validationId to ask for the result with.',
    fields: [...requestFields, optionsField([checkOnlyOption, sendOnceOption])],
    idField: 'validationId',
    async prepare(item) {
        const request = readRequest(item);
        return {
            preview: { ...request },
            send: async () => [await sendRequest(item, request)],
        };
    },
};
