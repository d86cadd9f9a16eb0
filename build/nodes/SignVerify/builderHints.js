function patternText({ title, nodes, chain: [first = '', ...rest] }) {
    const connections = rest.map((each) => `.to(${each})`).join('');
    return [
        '<patterns>',
        `<pattern title="${title}">`,
        ...nodes,
        `export default workflow('id', '${title}').add(${first})${connections};`,
        '</pattern>',
        '</patterns>',
    ].join('\n');
}
function ourNode(kind, variable, name, parameters) {
    const type = kind === 'trigger' ? 'signVerifyTrigger' : 'signVerify';
    return `const ${variable} = ${kind}({ type: 'n8n-nodes-signverify.${type}', version: 1.1, config: { name: '${name}', parameters: { ${parameters} }, credentials: { signVerifyApi: newCredential('SignVerify account') } } });`;
}
function ifNode(variable, name, expression) {
    return `const ${variable} = node({ type: 'n8n-nodes-base.if', version: 2.2, config: { name: '${name}', parameters: { conditions: { options: { caseSensitive: true, typeValidation: 'strict', version: 2 }, combinator: 'and', conditions: [{ id: '1', leftValue: expr('{{ ${expression} }}'), rightValue: '', operator: { type: 'boolean', operation: 'true', singleValue: true } }] } } } });`;
}
const form = (...labels) => `const form = trigger({ type: 'n8n-nodes-base.formTrigger', version: 2.2, config: { name: 'Form', parameters: { formTitle: 'Details', formFields: { values: [${labels.map((label) => `{ fieldLabel: '${label}', requiredField: true }`).join(', ')}] } } } });`;
const contractForm = form('name', 'email', 'role', 'start_date');
const contract = (operation) => `resource: 'document', operation: '${operation}', templateVersion: 'v2', templateId: { __rl: true, mode: 'id', value: '64f1c0de5a2b3c4d5e6f7081' }, fields: { mappingMode: 'defineBelow', value: { employee_name: expr('{{ $json.name }}'), role: expr('{{ $json.role }}'), start_date: expr('{{ $json.start_date }}') }, matchingColumns: [], schema: [] }, signatoriesFrom: 'form', signatories: { signatory: [{ email: expr('{{ $json.email }}'), name: expr('{{ $json.name }}') }] }, country: { __rl: true, mode: 'name', value: 'United States' }`;
const on = (resource, ...operation) => ({
    show: { resource: [resource], operation },
});
export const nodeHint = {
    searchHint: 'Sends documents for signature by e-mail, made from a template of the account, and verifies identities. To continue in the same workflow when everybody has signed, use the operation sendAndWait, with an If behind it on {{ $json.completed === true }}. To start another workflow then, use the SignVerify Trigger. The keys in "fields" are those of the chosen template. A download needs the links of a signed document, from the trigger or from sendAndWait. As an AI tool it cannot wait: put a human review node before the tool that sends.',
    relatedNodes: [
        {
            nodeType: 'n8n-nodes-signverify.signVerifyTrigger',
            relationHint: 'Starts a workflow when a document is signed or a person is verified',
        },
        {
            nodeType: 'n8n-nodes-base.if',
            relationHint: 'Behind sendAndWait: its items also come when the time limit is reached',
        },
        {
            nodeType: 'n8n-nodes-base.formTrigger',
            relationHint: 'Asks for names, e-mail addresses and the values of the document',
        },
    ],
    extraTypeDefContent: [
        {
            displayOptions: on('document', 'createFromTemplate'),
            content: patternText({
                title: 'Form → Send for Signature',
                nodes: [
                    contractForm,
                    ourNode('node', 'send', 'Send for Signature', contract('createFromTemplate')),
                ],
                chain: ['form', 'send'],
            }),
        },
        {
            displayOptions: on('document', 'sendAndWait', 'download'),
            content: patternText({
                title: 'Form → Send for Signature and Wait → If completed → Download',
                nodes: [
                    contractForm,
                    ourNode('node', 'send', 'Send and Wait', contract('sendAndWait')),
                    ifNode('signed', 'Signed in Time?', '$json.completed === true'),
                    ourNode('node', 'download', 'Download', "resource: 'document', operation: 'download', files: ['document', 'certificate']"),
                ],
                chain: ['form', 'send', 'signed', 'download'],
            }),
        },
        {
            displayOptions: on('identity', 'request', 'sendAndWait'),
            content: patternText({
                title: 'Form → Request → Send Email → Wait Until Verified → If passed',
                nodes: [
                    form('email'),
                    ourNode('node', 'request', 'Request', "resource: 'identity', operation: 'request', email: expr('{{ $json.email }}'), verificationType: 'FACE'"),
                    "const mail = node({ type: 'n8n-nodes-base.emailSend', version: 2.1, config: { name: 'Send Link', parameters: { fromEmail: 'people@example.com', toEmail: expr('{{ $json.email }}'), subject: 'Please confirm who you are', emailFormat: 'text', text: expr('{{ $json.url }}') }, credentials: { smtp: newCredential('SMTP account') } } });",
                    ourNode('node', 'verified', 'Wait Until Verified', `resource: 'identity', operation: 'sendAndWait', verification: 'existing', validationId: expr('{{ $("Request").item.json.validationId }}')`),
                    ifNode('passed', 'Passed?', '$json.score?.overall?.status === "OK"'),
                ],
                chain: ['form', 'request', 'mail', 'verified', 'passed'],
            }),
        },
    ],
};
export const triggerHint = {
    searchHint: 'Starts a workflow when a document is sent, signed by one person, or completed, or when an identity verification is finished. It registers its own webhook at the service when the workflow is published: do not add a Webhook node. {{ $json.event }} says which event it is. completedDocument brings the links of the signed files, which expire: download them at once, with "Download Files" or with a SignVerify node behind it.',
    relatedNodes: [
        {
            nodeType: 'n8n-nodes-signverify.signVerify',
            relationHint: 'Sends the documents, and downloads the signed files',
        },
        { nodeType: 'n8n-nodes-base.if', relationHint: 'Tells several events apart' },
    ],
    extraTypeDefContent: [
        {
            content: patternText({
                title: 'SignVerify Trigger → If completed → Download',
                nodes: [
                    ourNode('trigger', 'event', 'When Signed', "events: ['signDocument', 'completedDocument'], simplify: true"),
                    ifNode('completed', 'Completed?', '$json.event === "completedDocument"'),
                    ourNode('node', 'download', 'Download', "resource: 'document', operation: 'download', files: ['document', 'certificate']"),
                ],
                chain: ['event', 'completed', 'download'],
            }),
        },
    ],
};
