import { listWebhooks, removeWebhook } from '../api/webhooks';
import { attempt } from '../util/async';
import { isObject, objectOf, remember, textOf } from '../util/values';
import { executionOf, isOfThisInstance, resumeAddress } from './registration';
export const question = { signverify: 'still waiting?' };
export const answers = { waiting: { signverify: 'waiting' }, over: { signverify: 'over' } };
const mostAsked = 5;
const answerTime = 5_000;
const refused = new Map();
const mostRefused = 10_000;
export async function removeOrphans(execute, service, wait) {
    const listed = await attempt(listWebhooks(service));
    if (!listed.ok)
        return;
    const own = listed.value.filter((each) => isOfThisInstance(each, execute) && !refused.has(textOf(each.webHookUrl)));
    const orphans = await attempt(orphansOf(execute, shuffled(own).slice(0, mostAsked), wait));
    if (!orphans.ok)
        return;
    for (const each of orphans.value) {
        const removed = await attempt(removeWebhook(service, each));
        const isRefused = removed.ok && removed.value === 'refused';
        if (isRefused)
            remember(refused, textOf(each.webHookUrl), true, mostRefused);
    }
}
export async function orphansOf(execute, registrations, wait = '') {
    const own = registrations.filter((each) => isOfThisInstance(each, execute));
    if (own.length === 0 || !(await isAnsweredByN8n(execute, wait)))
        return [];
    const orphans = new Set();
    const queue = [...own];
    const work = async () => {
        for (let each = queue.shift(); each; each = queue.shift()) {
            const url = textOf(each.webHookUrl);
            if (saysOver(await ask(execute, url), executionOf(url)))
                orphans.add(each);
        }
    };
    await Promise.all(Array.from({ length: mostAsked }, work));
    if (orphans.size === 0 || !(await isAnsweredByN8n(execute, wait)))
        return [];
    return own.filter((each) => orphans.has(each));
}
async function isAnsweredByN8n(execute, wait) {
    const answer = await ask(execute, resumeAddress(execute, wait, ''));
    if (!answer || !isObject(answer.body))
        return false;
    return answer.statusCode !== 404 && (answer.statusCode !== 401 || wait === '');
}
function saysOver(answer, execution) {
    if (!answer)
        return false;
    const { statusCode, body } = answer;
    if (statusCode === 200 && typeof body === 'string') {
        const isPage = body.slice(0, 2000).includes('<title>No action required</title>');
        return isPage && body.slice(0, 20_000).includes('https://n8n.io/');
    }
    if (statusCode === 200)
        return objectOf(body).signverify === answers.over.signverify;
    const message = textOf(objectOf(body).message);
    if (!message.includes(`"${execution}`))
        return false;
    if (statusCode === 409)
        return message.includes('has finished');
    return statusCode === 404 && message.includes('does not exist');
}
async function ask(execute, url) {
    const answer = await attempt(execute.helpers.httpRequest({
        method: 'POST',
        url,
        body: question,
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
        disableFollowRedirect: true,
        timeout: answerTime,
    }));
    return answer.ok ? answer.value : undefined;
}
function shuffled(list) {
    return list
        .map((value) => ({ value, place: Math.random() }))
        .sort((left, right) => left.place - right.place)
        .map(({ value }) => value);
}
