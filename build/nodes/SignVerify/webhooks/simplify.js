import { isObject } from '../util/values';
export const simplifyField = {
    displayName: 'Simplify',
    name: 'simplify',
    type: 'boolean',
    default: true,
    description: 'Whether to return a simplified version of the response instead of the raw data',
};
const privateFields = ['password', 'verificationCode', 'signing', 'ocr', 'score'];
export function simplifyNotification(notification) {
    const { event, id, body, document, signatory, files, addedOn } = notification;
    const summary = document
        ? {
            documentId: document.documentId,
            title: document.title,
            status: document.status,
            templateId: document.templateId,
        }
        : {};
    if (!document || !notification.isDocumented) {
        const shown = withoutPrivate(body);
        const received = 'event' in shown || 'eventId' in shown ? { received: shown } : {};
        return { ...summary, ...shown, ...received, event, eventId: id };
    }
    const { signatories } = document;
    return {
        event,
        eventId: id,
        ...summary,
        ...(signatory ? { signatory } : {}),
        signatories,
        pendingSignatories: signatories.filter((each) => !each.signed).length,
        documentUrl: files.document,
        certificateUrl: files.certificate,
        pscCertificateUrl: files.pscCertificate,
        addedOn,
    };
}
function withoutPrivate(value) {
    if (Array.isArray(value))
        return value.map(withoutPrivate);
    if (!isObject(value))
        return value;
    return Object.fromEntries(Object.entries(value)
        .filter(([name]) => !privateFields.includes(name))
        .map(([name, inner]) => [name, withoutPrivate(inner)]));
}
