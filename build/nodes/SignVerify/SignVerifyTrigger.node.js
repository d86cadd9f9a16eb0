import { NodeConnectionTypes, } from 'n8n-workflow';
import { getTemplates } from './methods/loadOptions';
import { triggerHint } from './builderHints';
import { subtitle, triggerFields } from './trigger/fields';
import { checkExists, create, remove } from './trigger/lifecycle';
import { handleRequest } from './trigger/webhook';
export class SignVerifyTrigger {
    description = {
        displayName: 'SignVerify Trigger',
        name: 'signVerifyTrigger',
        icon: { light: 'file:signVerify.svg', dark: 'file:signVerify.dark.svg' },
        group: ['trigger'],
        version: [1, 1.1],
        defaultVersion: 1.1,
        subtitle,
        description: 'Send documents for signature, verify identities, and start workflows when they are signed or verified',
        eventTriggerDescription: 'Waiting for the signing service to report an event',
        activationMessage: 'The workflow now starts whenever the signing service reports one of the events.',
        triggerPanel: {
            header: 'Wait for an event of the signing service',
            executionsHelp: {
                inactive: "<b>While building your workflow</b>, click the 'Execute step' button, then let the event happen: have a document sent, for example, or sign one. For at most two minutes the service is told to report to this n8n, at an address that it has to be able to reach.<br /><br /><b>Once you're happy with your workflow</b>, publish it. Then it runs each time that the service reports one of the events. These executions show up in the <a data-key='executions'>executions list</a>, but not in the editor.",
                active: "<b>While building your workflow</b>, click the 'Execute step' button, then let the event happen: have a document sent, for example, or sign one. The test comes on top of the published workflow, which goes on.<br /><br /><b>Your workflow is published</b>, so it runs each time that the service reports one of the events. These executions show up in the <a data-key='executions'>executions list</a>, but not in the editor.",
            },
        },
        defaults: { name: 'SignVerify Trigger' },
        inputs: [],
        outputs: [NodeConnectionTypes.Main],
        credentials: [{ name: 'signVerifyApi', required: true }],
        webhooks: [
            {
                name: 'default',
                httpMethod: 'POST',
                responseMode: 'onReceived',
                responseData: '',
                path: 'signverify',
            },
        ],
        builderHint: triggerHint,
        properties: triggerFields,
    };
    methods = { loadOptions: { getTemplates } };
    webhookMethods = {
        default: {
            async checkExists() {
                return await checkExists.call(this);
            },
            async create() {
                return await create.call(this);
            },
            async delete() {
                return await remove.call(this);
            },
        },
    };
    async webhook() {
        return await handleRequest(this);
    }
}
