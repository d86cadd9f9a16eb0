import { events, isEvent } from '../../api/events';
import { secretParameter } from '../../webhooks/url';
import { InputError } from '../../http/errors';
import { textOf } from '../../util/values';
import { resumeTokenParameter } from '../../wait/webhook';
export function readEvent(value) {
    if (isEvent(value))
        return value;
    const given = textOf(value).slice(0, 80);
    throw new InputError('Event', given ? `there is no event "${given}"` : 'none is chosen', `Choose an event from the list: ${events.map((each) => each.value).join(', ')}.`);
}
export function redactRegistration(registration) {
    const { webHookUrl } = registration;
    if (typeof webHookUrl !== 'string')
        return { ...registration };
    const names = [secretParameter, resumeTokenParameter, 'signature'].join('|');
    const secret = new RegExp(`([?&](?:${names})=)[^&#]*`, 'gi');
    return { ...registration, webHookUrl: webHookUrl.replace(secret, '$1…') };
}
