// Every operation of the action node, one per line (docs/dev/adding-an-operation.md).
export { sendDocument } from './document/send';
export { sendDocumentAndWait } from './document/sendAndWait';
export { downloadDocument } from './document/download';
export { requestIdentity } from './identity/request';
export { waitUntilVerified } from './identity/sendAndWait';
export { getIdentity } from './identity/get';
export { getIdentityResults } from './identity/getResults';
export { getTemplate } from './template/get';
export { getAllTemplates } from './template/getAll';
export { createWebhook } from './webhook/create';
export { deleteWebhook } from './webhook/delete';
export { getAllWebhooks } from './webhook/getAll';
