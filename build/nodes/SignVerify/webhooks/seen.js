import { remember } from '../util/values';
import { answerTimeout, isAcceptance, isAccepted, isClosed, } from './answered';
const remembered = 10_000;
const events = new Map();
export async function claim(key, answer) {
    for (;;) {
        const known = events.get(key);
        const state = stateOf(known);
        if (state === 'accepted')
            return 'repeat';
        if (known === undefined || known === 'accepted' || state === 'lost')
            break;
        if (known.answer.closed)
            return 'underway';
        await known.closed;
    }
    const underway = { answer, since: Date.now(), closed: isClosed(answer) };
    remember(events, key, underway, remembered);
    void follow(key, answer);
    return 'new';
}
export async function claimEvent(key, response) {
    const claimed = await claim(key, response);
    if (claimed === 'repeat')
        return { status: 200, message: 'This event was already processed.' };
    if (claimed === 'new')
        return undefined;
    return { status: 503, message: 'This event is being processed. Send it again later.' };
}
async function follow(key, answer) {
    const accepted = await isAccepted(answer);
    const own = events.get(key);
    if (typeof own !== 'object' || own.answer !== answer)
        return;
    if (accepted)
        events.set(key, 'accepted');
    else
        events.delete(key);
}
function stateOf(known) {
    if (known === 'accepted')
        return 'accepted';
    if (known === undefined)
        return 'lost';
    const { answer, since } = known;
    if (answer.writableEnded)
        return isAcceptance(answer) ? 'accepted' : 'lost';
    return Date.now() - since > answerTimeout ? 'lost' : 'underway';
}
