/** The event about identity verifications. */
export const identityFinished = 'VERIFICATION_REQUEST_FINISHED';
