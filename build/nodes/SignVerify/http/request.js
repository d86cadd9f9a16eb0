export function kindOf({ method, noRetry }) {
    if (method === 'GET')
        return 'read';
    return method === 'DELETE' && !noRetry ? 'delete' : 'create';
}
export function httpOptions(url, request, timeout) {
    const hasType = request.body !== undefined || request.method === 'DELETE';
    return {
        method: request.method,
        url,
        headers: {
            accept: 'application/json',
            ...(hasType ? { 'content-type': 'application/json' } : {}),
        },
        ...(request.qs ? { qs: request.qs } : {}),
        ...(request.body ? { body: JSON.stringify(request.body) } : {}),
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
        disableFollowRedirect: true,
        encoding: 'stream',
        timeout,
    };
}
