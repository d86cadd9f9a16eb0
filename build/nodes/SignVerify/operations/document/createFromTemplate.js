import { checkOnlyOption, sendOnceOption } from '../sendItem';
import { optionsField } from '../form';
import { includeInactiveOption } from '../template/fields';
import { documentFields, documentPreview, otherCountOption, prepareDocument, readSimplify, sendDocument, } from './documents';
export const createFromTemplate = {
    resource: 'document',
    value: 'createFromTemplate',
    name: 'Send for Signature',
    action: 'Send document for signature',
    description: 'E-mails each signatory a link to sign a document that is made from a template',
    fields: [
        ...documentFields,
        optionsField([checkOnlyOption, includeInactiveOption, otherCountOption, sendOnceOption]),
    ],
    idField: 'documentId',
    async prepare(item) {
        const simplify = readSimplify(item);
        const prepared = await prepareDocument(item);
        return {
            preview: documentPreview(prepared),
            send: async () => [await sendDocument(item, prepared, simplify)],
        };
    },
};
