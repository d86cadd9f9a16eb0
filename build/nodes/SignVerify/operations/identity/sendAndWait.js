import { updateDisplayOptions } from 'n8n-workflow';
import { identityEvent } from '../../api/events';
import { lostCreation } from '../../http/errors';
import { textOf } from '../../util/values';
import { identityOutcome } from '../../wait/identity';
import { checkCanWait, startWaiting } from '../../wait/start';
import { checkOnlyOption, sendOnceOption } from '../sendItem';
import { optionsField } from '../form';
import { readAll } from '../problems';
import { limitWaitTimeFields, readWaitLimit } from '../waitLimit';
import { personalDataField, readPersonal, readValidationId, validationIdField } from './fields';
import { readRequest, requestFields, sendRequest } from './request';
export const requestIdentityAndWait = {
    resource: 'identity',
    value: 'sendAndWait',
    name: 'Request and Wait Until Verified',
    action: 'Request identity verification and wait',
    description: 'Ask for the verification of a person, and continue when the result is there. The workflow can wait for days, also while n8n is restarted.',
    fields: [
        {
            displayName: 'Verification',
            name: 'verification',
            type: 'options',
            noDataExpression: true,
            options: [
                {
                    name: 'Request a New One',
                    value: 'new',
                    description: 'For services that send the person the link themselves',
                },
                {
                    name: 'Wait for One Requested Before',
                    value: 'existing',
                    description: 'For a workflow that requests it, sends the person the link, and then waits',
                },
            ],
            default: 'new',
        },
        ...updateDisplayOptions({ show: { verification: ['new'] } }, requestFields),
        ...updateDisplayOptions({ show: { verification: ['existing'] } }, [validationIdField]),
        personalDataField,
        ...limitWaitTimeFields,
        ...updateDisplayOptions({ show: { verification: ['new'] } }, [
            optionsField([checkOnlyOption, sendOnceOption]),
        ]),
        ...updateDisplayOptions({ show: { verification: ['existing'] } }, [
            optionsField([checkOnlyOption]),
        ]),
    ],
    idField: 'validationId',
    waits: true,
    isSentBefore: isExisting,
    async prepare(item) {
        const { personal, limit, begin } = readAll({
            personal: () => readPersonal(item),
            limit: () => readWaitLimit(item),
            begin: () => (isExisting(item) ? existing(item) : fresh(item)),
        });
        checkCanWait(item.execute);
        const { preview, start } = begin;
        const startOne = async () => await start(personal);
        return {
            preview,
            send: async () => await startWaiting(item, identityEvent, limit, startOne),
        };
    },
};
function isExisting(item) {
    return item.parameter('verification') === 'existing';
}
const withoutId = 'The service gave no validationId to wait for';
function fresh(item) {
    const request = readRequest(item);
    const start = async (personal) => {
        const sent = await sendRequest(item, request);
        const validationId = textOf(sent.json.validationId);
        if (!validationId)
            throw lostCreation(withoutId, 'the identity request');
        return { ...sent, target: { kind: 'identity', validationId, email: request.email, personal } };
    };
    return { preview: { ...request }, start };
}
function existing(item) {
    const validationId = readValidationId(item);
    const start = async (personal) => {
        const identity = { validationId, email: '', personal };
        const outcome = await identityOutcome(item.service, identity);
        return outcome
            ? { json: outcome }
            : { json: { validationId }, target: { kind: 'identity', ...identity } };
    };
    return { preview: { validationId }, start };
}
