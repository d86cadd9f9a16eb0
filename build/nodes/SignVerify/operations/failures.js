import { ServiceError, toNodeError, wordsOf } from '../http/errors';
import { plainText } from '../util/plainText';
export function errorItem(error, itemIndex) {
    const details = { ...wordsOf(error) };
    if (error instanceof ServiceError) {
        if (error.answered !== undefined)
            details.httpStatus = error.answered;
        if (error.mayHaveCreated)
            details.mayHaveBeenCreated = true;
    }
    return { error: { ...details, itemIndex } };
}
export function failureOfRun(context, settled, index) {
    const failure = settled[index];
    const report = plainText(reportOfRun(settled, index), longestReport);
    return toNodeError(context.getNode(), failure?.state === 'failed' ? failure.error : undefined, { index, count: settled.length }, report);
}
export function isUncertain(settled) {
    return (settled?.state === 'failed' &&
        settled.error instanceof ServiceError &&
        settled.error.mayHaveCreated);
}
const longestReport = 10_000;
const listedCreations = 50;
function reportOfRun(settled, failedIndex) {
    const created = settled.flatMap((each, index) => (each.state === 'done' ? each.output : [])
        .filter((output) => output.created)
        .map((output) => `${output.created} (item ${index + 1})`));
    const unsure = [...settled.keys()]
        .filter((index) => index !== failedIndex && isUncertain(settled[index]))
        .map((index) => index + 1);
    const notStarted = settled.filter((each) => each.state === 'notStarted').length;
    const more = created.length > listedCreations ? ` and ${created.length - listedCreations} more` : '';
    return [
        created.length
            ? `Created in this run, do not send again: ${created.slice(0, listedCreations).join(', ')}${more}.`
            : '',
        unsure.length ? `Items ${unsure.join(', ')} may have been created, too.` : '',
        notStarted ? `${notStarted} of ${settled.length} items were not started.` : '',
    ]
        .filter(Boolean)
        .join(' ');
}
