import { NodeHelpers, } from 'n8n-workflow';
import { isObject } from './util/values';
const waitedMark = 'signVerifyWaited';
export function canKeepWait(execute) {
    const { runExecutionData } = execute;
    return isObject(runExecutionData?.executionData) && isObject(execute.getExecuteData().data);
}
export function passOnAtLimit(execute, item) {
    const entry = execute.getExecuteData();
    entry.data.main = [[item]];
    entry.metadata = { ...entry.metadata, [waitedMark]: true };
}
export function passedOn(execute) {
    const metadata = execute.getExecuteData().metadata;
    return metadata?.[waitedMark] === true ? execute.getInputData() : undefined;
}
export function contextOfNode(context) {
    const { runExecutionData } = context;
    if (!runExecutionData?.executionData)
        return undefined;
    return NodeHelpers.getContext(runExecutionData, 'node', context.getNode());
}
