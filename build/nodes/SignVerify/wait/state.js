import { contextOfNode } from '../n8nInternals';
import { isObject } from '../util/values';
const key = 'signVerifyWait';
export function keepState(execute, state) {
    execute.getContext('node')[key] = state;
}
export function readState(context) {
    const state = contextOfNode(context)?.[key];
    const isState = isObject(state) && isObject(state.webhook) && isObject(state.target);
    return isState ? state : undefined;
}
