import { createHash } from 'crypto';
export function stateOf(context) {
    return context.getWorkflowStaticData('node');
}
export function ownerOf(context) {
    const { id = '' } = context.getWorkflow();
    const parts = [context.getInstanceId(), String(id), context.getNode().id];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
export function isOwner(context, state) {
    return state.owner === ownerOf(context);
}
export function standingOf(context, state, address) {
    if (!state.owner && !state.secret)
        return 'none';
    if (!isOwner(context, state))
        return 'foreign';
    return state.address === address ? 'own' : 'moved';
}
export function forgetRegistrations(state) {
    for (const name of Object.keys(state)) {
        if (name !== 'identityRemovable')
            delete state[name];
    }
}
