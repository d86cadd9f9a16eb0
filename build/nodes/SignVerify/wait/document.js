const clockTolerance = 5 * 60_000;
export function isAwaited(document, awaited) {
    if (!document)
        return false;
    const { ids, templateId, addedOn, signatories } = document;
    if (awaited.documentId)
        return ids.includes(awaited.documentId);
    if (!templateId || templateId !== awaited.templateId.trim())
        return false;
    if (addedOn === undefined)
        return false;
    const { since, until } = awaited;
    const isInTime = addedOn >= since - clockTolerance && addedOn <= until + clockTolerance;
    const emails = signatories.map(({ email }) => email ?? '');
    return isInTime && sameEmails(emails, awaited.emails);
}
function sameEmails(left, right) {
    const normal = (list) => [...new Set(list.map((each) => each.trim().toLowerCase()))].sort().join('\n');
    return normal(left) !== '' && normal(left) === normal(right);
}
