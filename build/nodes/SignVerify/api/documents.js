import { readEnvelope } from '../http/envelope';
import { firstText, isObject, listOf, objectOf, placesIn, textOf } from '../util/values';
import { documentNames, explainWith } from './refusedFields';
const creationPaths = {
    v1: '/templates/createDocumentByTemplate',
    v2: '/templates/createDocumentByTemplateV2',
};
export async function createDocument(service, version, body, labels = {}) {
    return await service.call({
        method: 'POST',
        path: creationPaths[version],
        body: body,
        creates: 'the document',
        explain: explainWith(documentNames, body, labels),
    });
}
const wrappers = ['responsedata', 'document', 'documents', 'data', 'result'];
export function documentsIn(answer) {
    return placesIn(answer, (name) => wrappers.includes(name)).filter((each) => readEnvelope(each) === undefined || idNamedIn(each) !== undefined);
}
export function createdDocumentId(answer) {
    const documents = documentsIn(answer);
    const general = documents.map((each) => firstText(each._id, each.id));
    return firstText(...documents.map(idNamedIn), ...general) ?? '';
}
function idNamedIn(document) {
    return firstText(document.documentID, document.documentId);
}
export function signatoriesOf(list) {
    return listOf(list)
        .filter(isObject)
        .filter((each) => each.signatoryID !== undefined || each.userID === undefined)
        .map((each) => ({
        ...readPerson(each),
        signed: ['1', 'true'].includes(textOf(each.isSigned).toLowerCase()),
    }));
}
export function readPerson(signatory) {
    const { emailID, name } = objectOf(signatory);
    return {
        ...(emailID === undefined ? {} : { email: textOf(emailID) }),
        ...(name === undefined ? {} : { name: textOf(name) }),
    };
}
