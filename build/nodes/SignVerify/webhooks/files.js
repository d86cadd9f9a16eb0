import { downloadFile } from '../http/download';
import { ServiceError } from '../http/errors';
import { readNumber } from '../operations/problems';
import { attempt } from '../util/async';
export const documentFiles = {
    document: { noun: 'the document', suffix: '' },
    certificate: { noun: 'the certificate', suffix: ' - certificate' },
    pscCertificate: { noun: 'the PSC certificate', suffix: ' - psc' },
};
export const defaultFileSeconds = 10;
export const mostFileSeconds = 60;
const clockTolerance = 50;
const largestFile = 50_000_000;
export function readFileSeconds(value) {
    const range = { least: 1, most: mostFileSeconds };
    return readNumber(value ?? defaultFileSeconds, 'File Time Limit', range, 'the-trigger');
}
export async function withFiles(json, { helpers }, { event, document, files }, seconds = defaultFileSeconds) {
    const arrived = {};
    const total = Math.ceil(seconds * 1000);
    const start = Date.now();
    const signal = AbortSignal.timeout(total);
    const late = new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('late'));
    });
    const title = document?.title ?? '';
    const downloadOne = async (file, address) => {
        if (!/^https?:\/\//i.test(address))
            return 'its address is no http or https address';
        const download = downloadFile({ helpers, getExecutionCancelSignal: () => signal }, { address, title, ...documentFiles[file], limit: largestFile, timeout: total, total });
        const answer = await Promise.race([attempt(download), late]);
        const isOver = Date.now() - start >= total - clockTolerance;
        if (answer === 'late' || signal.aborted || (!answer.ok && isOver))
            return `it did not arrive within ${seconds} s`;
        if (answer.ok) {
            arrived[file] = answer.value;
            return undefined;
        }
        return answer.error instanceof ServiceError ? answer.error.message : 'n8n could not store it';
    };
    const addresses = Object.entries(files);
    const lists = await Promise.all(addresses.map(async ([file, address]) => {
        if (address === null && event !== 'completedDocument')
            return [];
        const reason = address === null
            ? 'the notification carries no address for it'
            : await downloadOne(file, address);
        return reason === undefined ? [] : [{ file, reason }];
    }));
    const binary = {};
    for (const [file] of addresses) {
        if (arrived[file])
            binary[file] = arrived[file];
    }
    const missingFiles = lists.flat();
    return { json: { ...json, ...(missingFiles.length ? { missingFiles } : {}) }, binary };
}
