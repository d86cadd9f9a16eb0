import { NodeConnectionTypes, } from 'n8n-workflow';
import { searchCountries, searchTemplates, searchWebhooks } from './methods/listSearch';
import { getSignatoryRoles, getTemplateFields } from './methods/resourceMapping';
import { properties, toolProperties, withoutService } from './operations';
import { nodeHint } from './builderHints';
import { formVersions } from './operations/form';
import { runOperation } from './operations/run';
import { handleResume, resumeWebhooks } from './wait/onEvent';
export class SignVerify {
    description = {
        displayName: 'SignVerify',
        name: 'signVerify',
        icon: { light: 'file:signVerify.svg', dark: 'file:signVerify.dark.svg' },
        group: ['transform'],
        version: formVersions,
        subtitle: '={{ ({ createFromTemplate: "send", getAll: "get many", getResults: "get results", markProcessed: "mark as processed", processOnce: "process once", sendAndWait: "send and wait" })[$parameter["operation"]] ?? $parameter["operation"] }}: {{ $parameter["resource"] }}',
        description: 'Send documents for signature, verify identities, and start workflows when they are signed or verified',
        defaults: { name: 'SignVerify' },
        usableAsTool: { replacements: { properties: toolProperties } },
        waitingNodeTooltip: '={{ $parameter["resource"] === "identity" ? "The workflow continues when the person has been verified" : "The workflow continues when everybody has signed" }}',
        inputs: [NodeConnectionTypes.Main],
        outputs: [NodeConnectionTypes.Main],
        credentials: [
            {
                name: 'signVerifyApi',
                required: true,
                displayOptions: { hide: { resource: withoutService } },
            },
        ],
        webhooks: resumeWebhooks,
        builderHint: nodeHint,
        properties,
    };
    methods = {
        listSearch: { searchCountries, searchTemplates, searchWebhooks },
        resourceMapping: { getSignatoryRoles, getTemplateFields },
    };
    async execute() {
        return await runOperation(this);
    }
    async webhook() {
        return await handleResume(this);
    }
}
