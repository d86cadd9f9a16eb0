import { isFinalStatus, readIdentityRequest, readIdentityResults } from '../../api/identity';
import { ServiceError } from '../../http/errors';
import { isObject, textOf } from '../../util/values';
import { optionsField } from '../form';
import { readId } from '../parameters';
import { readAll } from '../problems';
import { pick } from '../toolOutput';
import { personalDataField, readPersonal, unknownRequest } from './fields';
export const getIdentityResults = {
    resource: 'identity',
    value: 'getResults',
    name: 'Get Results',
    action: 'Get results of identity verification',
    description: 'Get the scores and statuses of a finished verification. Overall is score.overall; its status is OK when the person passed.',
    toolOutput: {
        id: 'sessionId',
        fields: ['sessionId', 'customerId', 'score', 'ocr'],
        simplify: ({ score, ...json }) => ({ ...json, score: overallOf(score) }),
    },
    fields: [
        {
            displayName: 'Session ID',
            name: 'sessionId',
            type: 'string',
            default: '',
            required: true,
            placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
            description: 'The sessionId of the verification, which is the same as its validationId',
        },
        personalDataField,
        optionsField(),
    ],
    async run(item) {
        const source = 'Use the sessionId of the request, or the validationId that "Request" gave.';
        const { sessionId, personal } = readAll({
            sessionId: () => readId(item.parameter('sessionId'), 'Session ID', source),
            personal: () => readPersonal(item),
        });
        const json = await readIdentityResults(item.service, sessionId, personal);
        if (json)
            return [{ json }];
        throw await whyMissing(item, sessionId);
    },
};
function overallOf(score) {
    if (!isObject(score))
        return null;
    const parts = Object.entries(score).filter(([, part]) => isObject(part));
    return Object.fromEntries(parts.map(([name, part]) => [
        name,
        isObject(part) && 'overall' in part ? pick(part, ['overall']) : part,
    ]));
}
async function whyMissing(item, id) {
    const request = await readIdentityRequest(item.service, id);
    if (!request)
        return unknownRequest('Session ID', id);
    const status = textOf(request.status) || 'unknown';
    if (isFinalStatus(status)) {
        return new ServiceError({
            message: `The verification is ${status}, but the service gives no results for it`,
            description: 'Try again in a moment, or ask the provider of the service.',
        });
    }
    return new ServiceError({
        message: `The results are not ready yet (status ${status})`,
        description: 'The person has to finish the verification first. Ask again later, or start from a SignVerify Trigger that waits for the result.',
    });
}
