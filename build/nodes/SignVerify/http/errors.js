import { ExpressionError, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { plainText } from '../util/plainText';
export class ServiceError extends Error {
    facts;
    description;
    answered;
    mayHaveCreated;
    repeat;
    limited;
    retryAfter;
    topic;
    constructor(facts) {
        super(plainText(facts.message));
        this.facts = facts;
        this.name = 'ServiceError';
        this.description = plainText(facts.description);
        this.answered = facts.httpStatus;
        this.mayHaveCreated = facts.mayHaveCreated ?? false;
        this.repeat = facts.repeat ?? 'never';
        this.limited = facts.httpStatus === 429;
        this.retryAfter = facts.retryAfter;
        this.topic = facts.topic ?? 'the-service-says-no';
    }
    withDetail(text) {
        return new ServiceError({ ...this.facts, description: this.description + text });
    }
}
export class InputError extends Error {
    topic;
    description;
    parts;
    constructor(field, problem, remedy, topic = 'a-field-of-the-form', parts) {
        super(plainText(`${field}: ${problem}`));
        this.topic = topic;
        this.name = 'InputError';
        this.description = plainText(remedy);
        this.parts = parts ?? [this];
    }
}
const mostListed = 10;
export function numbered(texts) {
    const listed = texts.slice(0, mostListed).map((text, index) => `(${index + 1}) ${text}`);
    const rest = texts.length - listed.length;
    return [...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].join(' ');
}
export function allOf(errors) {
    const [first] = errors;
    const parts = errors.flatMap((error) => error.parts);
    if (parts.length === 1)
        return first;
    const remedies = new Map();
    parts.slice(0, mostListed).forEach(({ description }, index) => {
        remedies.set(description, [...(remedies.get(description) ?? []), index + 1]);
    });
    return new InputError(`${parts.length} fields are missing or wrong`, numbered(parts.map(({ message }) => message)), [...remedies].map(([text, numbers]) => `(${numbers.join(', ')}) ${text}`).join(' '), first.topic, parts);
}
export function lostCreation(what, noun, httpStatus) {
    return new ServiceError({
        message: `${what}, so ${noun} may have been created`,
        description: `Look for ${noun} at the service before you run this item again. It was not sent a second time.`,
        ...(httpStatus === undefined ? {} : { httpStatus }),
        mayHaveCreated: true,
        topic: 'may-have-been-created',
    });
}
export async function withNodeErrors(context, work) {
    try {
        return await work();
    }
    catch (error) {
        throw toNodeError(context.getNode(), error);
    }
}
export function wordsOf(error, more = '') {
    const message = error instanceof Error ? plainText(error.message) : 'An unknown error occurred';
    const isOwn = error instanceof ServiceError || error instanceof InputError;
    const isOfN8n = error instanceof NodeOperationError || error instanceof ExpressionError;
    const said = isOwn || isOfN8n ? (error.description ?? '') : '';
    const link = isOwn ? moreAbout(error.topic) : isOfN8n ? '' : moreAbout('other-messages');
    const description = [plainText(said), more, link].filter(Boolean).join(' ');
    return { message, ...(description ? { description } : {}) };
}
export function toNodeError(node, error, item, more = '') {
    const { message: said, ...rest } = wordsOf(error, more);
    const bare = said.replace(/ \[item \d+\]$/, '');
    const message = item && item.count > 1 ? `${bare} [item ${item.index + 1}]` : bare;
    if (!(error instanceof ServiceError))
        return new NodeOperationError(node, message, rest);
    const { answered } = error;
    return new NodeApiError(node, { message }, { message, ...rest, ...(answered === undefined ? {} : { httpCode: String(answered) }) });
}
export const repository = 'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify';
export function moreAbout(topic) {
    return `More: ${repository}/blob/main/docs/errors.md#${topic}`;
}
