import { renewToken } from '../nodes/SignVerify/api/token';
import { normalizeBaseUrl, originOf, pathBelow, withoutSlashes, } from '../nodes/SignVerify/http/baseUrl';
import { ServiceError } from '../nodes/SignVerify/http/errors';
import { textOf } from '../nodes/SignVerify/util/values';
export class SignVerifyApi {
    name = 'signVerifyApi';
    displayName = 'SignVerify API';
    icon = {
        light: 'file:../nodes/SignVerify/signVerify.svg',
        dark: 'file:../nodes/SignVerify/signVerify.dark.svg',
    };
    documentationUrl = 'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify#set-up-the-credential';
    properties = [
        {
            displayName: 'Base URL',
            name: 'baseUrl',
            type: 'string',
            default: '',
            required: true,
            placeholder: 'e.g. https://sign.example.com/api',
            description: 'URL of the service, as your provider gave it to you',
        },
        {
            displayName: 'User ID',
            name: 'userId',
            type: 'string',
            default: '',
            required: true,
            description: 'Your user ID at the service',
        },
        {
            displayName: 'API Key',
            name: 'apiKey',
            type: 'string',
            typeOptions: { password: true },
            default: '',
            required: true,
            description: 'Your secret key. It is sent only to get an access token, never with other calls.',
        },
        {
            displayName: 'Access Token',
            name: 'accessToken',
            type: 'hidden',
            typeOptions: { expirable: true, password: true },
            default: '',
        },
    ];
    async preAuthentication(credentials) {
        return { accessToken: await renewToken(this.helpers, credentials) };
    }
    authenticate = async (credentials, requestOptions) => {
        const baseUrl = normalizeBaseUrl(credentials.baseUrl);
        const path = pathBelow(baseUrl, addressOf(requestOptions));
        if (path === undefined) {
            throw new ServiceError({
                message: `This credential is only for ${originOf(baseUrl)}`,
                description: 'Use an address below the Base URL of the credential, or another credential.',
                topic: 'the-credential',
            });
        }
        const token = textOf(credentials.accessToken);
        requestOptions.headers = {
            ...requestOptions.headers,
            'user-id': textOf(credentials.userId).trim(),
            token,
        };
        if (path === '/templates' || path.startsWith('/templates/')) {
            requestOptions.headers.Authorization = `Bearer ${token}`;
        }
        return Object.assign(requestOptions, noRedirects);
    };
    test = {
        request: {
            baseURL: '={{ String($credentials.baseUrl ?? "").trim().replace(/\\/+$/, "") }}',
            url: '/templates/v2',
            disableFollowRedirect: true,
        },
        rules: redirects.map((value) => ({
            type: 'responseCode',
            properties: {
                value,
                message: `The service redirects this call to another URL (HTTP ${value}). Enter the address that it leads to as the Base URL.`,
            },
        })),
    };
}
const redirects = [301, 302, 303, 307, 308];
const noRedirects = {
    disableFollowRedirect: true,
    followRedirect: false,
    followAllRedirects: false,
    maxRedirects: 0,
};
function addressOf(options) {
    const { baseURL, uri } = options;
    const address = options.url ?? uri ?? '';
    if (!baseURL || /^([a-z][a-z\d+.-]*:)?\/\//i.test(address))
        return address;
    return `${withoutSlashes(baseURL)}/${address.replace(/^\//, '')}`;
}
