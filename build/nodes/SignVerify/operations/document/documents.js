import { createdDocumentId, createDocument, documentsIn, signatoriesOf } from '../../api/documents';
import { idOf, slotsOf, variablesOf, } from '../../api/templates';
import { simplifyField } from '../../webhooks/simplify';
import { InputError } from '../../http/errors';
import { Problems } from '../problems';
import { isEmpty, isoTime, objectOf } from '../../util/values';
import { hasTodaysForm } from '../form';
import { readSwitch } from '../parameters';
import { chosenTemplate, readTemplateVersion, templateLocator, templateVersionField, } from '../template/fields';
import { countryFields, readCountry } from './country';
import { areByRole, checkSignatories, peopleByRole, readSignatories, signatoryFields, } from './signatories';
import { readSignPositions, signPositionsFields } from './signPositions';
import { readVariables, variablesField } from './variables';
export const documentFields = [
    templateVersionField,
    templateLocator,
    ...signatoryFields,
    ...signPositionsFields,
    variablesField,
    ...countryFields,
    simplifyField,
];
export const otherCountOption = {
    displayName: 'Allow Other Number of Signatories',
    name: 'allowOtherCount',
    type: 'boolean',
    default: false,
    displayOptions: { show: { '/templateVersion': ['v2'] } },
    description: 'Whether to send the document also when there are more or fewer signatories than the template has places to sign',
};
export async function prepareDocument(item) {
    const problems = new Problems();
    const given = problems.collect(() => readTemplateVersion(item.parameter('templateVersion')));
    const isByRole = areByRole(item);
    const named = isByRole ? undefined : problems.collect(() => readSignatories(item));
    const law = problems.collect(() => readCountry(item));
    const mayDiffer = problems.collect(() => readOtherCount(item));
    const positions = given === 'v1' ? problems.collect(() => readSignPositions(item, named)) : undefined;
    const chosen = given && (await problems.collectLater(async () => await chosenTemplate(item, given)));
    const inRoles = chosen && isByRole && problems.collect(() => peopleByRole(item, chosen, mayDiffer === true));
    const people = inRoles ? problems.collect(() => checkSignatories(inRoles)) : named;
    if (chosen && people && mayDiffer === false)
        problems.collect(() => checkCount(item, chosen, people));
    const filled = chosen && problems.collect(() => readVariables(item, chosen));
    const { version, signatories, country, template, inputs } = problems.settle({
        version: given,
        signatories: people,
        country: law,
        template: chosen,
        inputs: filled,
    });
    const body = {
        templateID: idOf(template),
        country,
        inputs,
        signatories,
        ...(positions ? { staticSignPositions: positions } : {}),
    };
    const roles = inRoles ? { roles: inRoles.map(({ who }) => who) } : {};
    return { version, template, body, ...roles };
}
export async function sendDocument(item, { version, template, body, roles }, simplify) {
    const variables = variablesOf(template).map(({ key, label }) => [key, label || key]);
    const envelope = await createDocument(item.service, version, body, {
        variables: new Map(variables),
        ...(roles ? { signatories: roles } : {}),
    });
    const json = createdDocument(envelope, body, template, simplify);
    return { json, created: nameOfCreated(json), sentId: createdDocumentId(envelope) };
}
export function readSimplify(item) {
    return readSwitch(item, simplifyField.name, simplifyField.displayName, true);
}
function readOtherCount(item) {
    const { name, displayName } = otherCountOption;
    return readSwitch(item, `options.${name}`, displayName);
}
function checkCount(item, template, signatories) {
    const slots = slotsOf(template);
    if (slots.length === 0 || slots.length === signatories.length)
        return;
    const roles = slots.map(({ label }) => label).join(', ');
    const people = signatories.length === 1 ? 'one person is' : `${signatories.length} people are`;
    const problem = `the template "${template.name}" is signed by ${roles}, but ${people} named`;
    if (hasTodaysForm(item)) {
        throw new InputError('Signatories', problem, `Name one person for each place, or switch on "${otherCountOption.displayName}" in the options.`);
    }
    item.hint(`Item ${item.itemIndex + 1}: ${problem}.`);
}
export function documentPreview({ body, template }) {
    const { inputs, staticSignPositions } = body;
    return {
        ...createdDocument({}, body, template, true),
        fields: inputs,
        ...(staticSignPositions ? { signPositions: staticSignPositions } : {}),
    };
}
export function createdDocument(envelope, body, template, simplify) {
    const answered = objectOf(envelope.responseData);
    if (!simplify)
        return Object.keys(answered).length ? answered : envelope;
    const documents = documentsIn(envelope);
    const valueOf = (name) => documents.map((each) => each[name]).find((value) => !isEmpty(value));
    const documentId = createdDocumentId(envelope);
    const status = valueOf('status');
    const addedOn = valueOf('addedOn');
    const listed = signatoriesOf(valueOf('signatory'));
    return {
        ...(documentId === '' ? {} : { documentId }),
        title: valueOf('title') ?? template.name,
        ...(status === undefined ? {} : { status }),
        templateId: body.templateID,
        country: body.country,
        signatories: listed.length
            ? listed
            : body.signatories.map((each) => ({ ...each, signed: false })),
        ...(addedOn === undefined ? {} : { addedOn: isoTime(addedOn) }),
    };
}
export function nameOfCreated(output) {
    const id = createdDocumentId(output);
    return id ? `document ${id}` : 'a document';
}
