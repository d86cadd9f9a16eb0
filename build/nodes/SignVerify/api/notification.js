import { createHash } from 'crypto';
import { firstText, isObject, isoTime, objectOf, readMoment, textOf } from '../util/values';
import { readPerson, signatoriesOf } from './documents';
const documentedEvents = ['sendDocument', 'signDocument', 'completedDocument'];
export function readNotification(event, body) {
    const source = isObject(body.Document) ? body.Document : undefined;
    const { signatory } = webhookDataOf(source);
    const document = source && readDocument(source);
    const people = isObject(signatory) ? [readPerson(signatory)] : (document?.signatories ?? []);
    const emails = [...people.map(({ email }) => email), textOf(body.emailId)];
    return {
        event,
        body,
        isDocumented: source !== undefined && documentedEvents.includes(event),
        id: hashOf(partsOf(event, body) ?? [event, body]),
        ...(document ? { document } : {}),
        ...(signatory === undefined ? {} : { signatory: readPerson(signatory) }),
        emails: emails.map((email) => (email ?? '').trim().toLowerCase()).filter(Boolean),
        files: fileUrls(source),
        validationId: validationIdIn(body),
        addedOn: isoTime(body.addedOn),
    };
}
export function fileUrls(document) {
    const source = objectOf(document);
    const data = webhookDataOf(source);
    return {
        document: firstText(source.documentURL, data.documentURL) ?? null,
        certificate: firstText(source.certificateURL, data.certificateURL) ?? null,
        pscCertificate: firstText(source.pscCertificateURL, data.pscUrl) ?? null,
    };
}
function readDocument(source) {
    const { documentID, _id, documentId, id, title, status, templateID } = source;
    return {
        ids: [documentID, _id, documentId, id].map(textOf).filter((text) => text !== ''),
        documentId: firstText(documentID, _id),
        ...(title === undefined ? {} : { title: textOf(title) }),
        ...(status === undefined ? {} : { status: textOf(status) }),
        ...(templateID === undefined ? {} : { templateId: textOf(templateID).trim() }),
        addedOn: readMoment(source.addedOn),
        signatories: signatoriesOf(source.signatory),
    };
}
function webhookDataOf(document) {
    return objectOf(document?.webhookData);
}
function partsOf(event, body) {
    const { Document: document } = body;
    if (!documentedEvents.includes(event) || !isObject(document))
        return undefined;
    const { signatory } = webhookDataOf(document);
    const { signatoryID, _id, emailID } = objectOf(signatory);
    const who = firstText(signatoryID, _id, emailID);
    const parts = [
        event,
        firstText(document.documentID, document._id),
        event === 'completedDocument' ? (who ?? '') : who,
        firstText(body.addedOn),
    ];
    return parts.every((part) => part !== undefined) ? parts : undefined;
}
function hashOf(parts) {
    const text = JSON.stringify(parts, sortedKeys);
    return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
function sortedKeys(_name, value) {
    if (!isObject(value))
        return value;
    const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(entries);
}
function validationIdIn(body) {
    for (const part of [body, ...Object.values(body).filter(isObject)]) {
        const { validationId, validationID, sessionId, sessionID } = part;
        const id = firstText(validationId, validationID, sessionId, sessionID);
        if (id !== undefined)
            return id;
    }
    return undefined;
}
