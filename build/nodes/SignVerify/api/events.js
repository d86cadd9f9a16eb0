export const documentEvents = [
    {
        name: 'Document Completed',
        value: 'completedDocument',
        description: 'Everybody has signed. Comes with links to the signed document and its certificates.',
    },
    {
        name: 'Document Sent',
        value: 'sendDocument',
        description: 'The document was sent for signature',
    },
    {
        name: 'Document Signed by One',
        value: 'signDocument',
        description: 'One of the signatories signed. With three signatories there are three such events.',
    },
    {
        name: 'Identity Check Failed',
        value: 'failedBiometric',
        description: 'An identity check within a signature failed',
    },
    {
        name: 'Identity Check in Manual Review',
        value: 'pendingBiometric',
        description: 'An identity check within a signature went to manual verification',
    },
    {
        name: 'Identity Image Unreadable',
        value: 'failedBiometricRequest',
        description: 'An identity check within a signature got an image that cannot be processed',
    },
];
export const identityEvent = 'VERIFICATION_REQUEST_FINISHED';
export const events = [
    ...documentEvents,
    {
        name: 'Identity Verification Finished',
        value: identityEvent,
        description: 'A person is done with an identity verification that was asked for by e-mail',
    },
];
export function isEvent(value) {
    return events.some((event) => event.value === value);
}
