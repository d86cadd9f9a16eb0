import { readIdentityRequest } from '../../api/identity';
import { optionsField } from '../form';
import { pick } from '../toolOutput';
import { readValidationId, unknownRequest, validationIdField } from './fields';
export const getIdentity = {
    resource: 'identity',
    value: 'get',
    name: 'Get',
    action: 'Get identity verification',
    description: 'Get the status of a requested verification. Its customerId, once there is one, lets the person sign later with a selfie alone.',
    toolOutput: {
        id: 'sessionId',
        fields: [
            'userId',
            'emailId',
            'status',
            'createdAt',
            'sessionId',
            'customerId',
            'url',
            'backgroundCheck',
        ],
        simplify: (json) => pick(json, ['emailId', 'status', 'createdAt', 'sessionId', 'customerId']),
    },
    fields: [validationIdField, optionsField()],
    async run(item) {
        const id = readValidationId(item);
        const json = await readIdentityRequest(item.service, id);
        if (json)
            return [{ json }];
        throw unknownRequest(validationIdField.displayName, id);
    },
};
