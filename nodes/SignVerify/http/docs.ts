import type { DocsAnchor } from './docsAnchors';

/** The repository of the source and the documentation, as in package.json (test/repository/project.test.ts). */
export const repository = 'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify';

/** The version of the package. `npm run release` sets it; before the first release, it is 0.0.0. */
export const packageVersion = '0.0.0';

/**
<<<<<<< HEAD
 * Returns the URL of the documentation for a version, because the pages of a later version may explain something else.
=======
 * The sections of docs/errors.md that errors link to. The page has an `<a id="…">` in the heading of each section, so
 * the links still work after a message or a heading is reworded.
 */
export const docsAnchors = [
	'may-have-been-created',
	'the-credential',
	'has-a-host-name-that-does-not-exist',
	'has-a-host-name-that-cannot-be-looked-up-right-now',
	'refuses-connections',
	'cannot-be-reached-from-here',
	'does-not-speak-https',
	'has-a-certificate-that-cannot-be-trusted',
	'closed-the-connection',
	'did-not-answer-in-time',
	'answered-with-more-than',
	'was-not-waited-for-since-the-execution-was-cancelled',
	'could-not-be-reached',
	'the-proxy-before-the-service',
	'speaks-only-an-old-version-of-tls',
	'the-service-refused-the-request',
	'the-service-does-not-allow-this',
	'the-service-did-not-find-it',
	'the-service-says-that-there-were-too-many-requests',
	'other-calls-use-all-requests-per-second',
	'the-service-failed',
	'the-service-redirects-this-call-to-another-url',
	'the-service-answered-but-not-like-the-signing-service',
	'the-service-does-not-say-clearly-whether-it-worked',
	'validation-id-the-service-has-no-identity-request-with-the-id',
	'the-results-are-not-ready-yet',
	'webhook-the-service-has-none-with-the-id-that-it-lets-us-delete',
	'nothing-was-sent',
	'values-are-missing-or-wrong',
	'it-is-empty',
	'it-is-not-a-text',
	'the-expression-gives-no-value',
	'the-expression-fails',
	'is-not-an-id',
	'it-is-not-a-url',
	'is-not-an-email-address',
	'has-a-name-with-the-address',
	'it-contains-a-leftover',
	'it-has-an-invisible-character-inside',
	'it-is-neither-on-nor-off',
	'none-is-chosen',
	'the-account-has-no-template-with-the-id',
	'several-templates-have-the-id',
	'is-not-active',
	'the-template-requires-a-value-and-there-is-none',
	'several-columns-fit-it',
	'no-column-of-the-item-fits-any-field',
	'it-is-a-list-of-values',
	'one-column-fits-two-fields',
	'the-expression-gives-no-values',
	'the-item-has-only-one-column',
	'the-form-is-not-saved-as-n8n-saves-it',
	'is-not-a-date',
	'an-expression-was-typed-as-a-text',
	'the-number-has-too-many-digits-to-be-exact',
	'the-template-has-no',
	'there-is-no-country',
	'there-is-none',
	'there-is-no-position',
	'the-template-is-signed-by',
	'the-expression-does-not-give-a-list-of-people',
	'is-the-email-of-another-signatory',
	'the-template-has-its-own-places-to-sign',
	'is-not-one-of-the-signatories',
	'it-must-be-a-number',
	'it-is-not-a-hex-color',
	'the-item-has-more-than-100-inputs-in-one-another',
	'the-expression-gives-no-text-or-number-for-this-item',
	'this-workflow-has-not-been-saved',
	'this-version-of-n8n-cannot-keep-it',
	'n8n-does-not-say-whether-this-is-a-test-run',
	'there-is-no-such-choice',
	'the-account-has-none',
	'files',
	'the-trigger',
	'the-service-is-too-slow-to-register-the-webhooks-in-time',
	'events-cannot-arrive',
	'waiting',
	'a-signature-cannot-approve-the-tool-call-of-an-ai-agent',
	'cannot-be-told-apart',
	'other-messages',
	'the-execution-was-cancelled-before-this-item-was-sent',
] as const;

/** The anchor of a section in docs/errors.md. */
export type DocsAnchor = (typeof docsAnchors)[number];

/**
 * Returns the URL of the documentation as it was for a version of the package. The pages of a later version may
 * describe different behavior.
>>>>>>> 16d7d9e27ce2f3062560efb8255f11d4e01d97bb
 * @param version 0.0.0 means that the package was never released, so the pages of `main` are used.
 */
export function docsOf(version: string): string {
	return `${repository}/blob/${version === '0.0.0' ? 'main' : `v${version}`}/docs`;
}

/** Returns the link to an error's explanation in docs/errors.md, for the end of the error's description. */
export function docsLink(
	anchor: DocsAnchor,
	{ isHtml = false }: { isHtml?: boolean } = {},
): string {
	const url = `${docsOf(packageVersion)}/errors.md#${anchor}`;
	return isHtml ? `<a href="${url}" target="_blank">More about this error</a>` : `More: ${url}`;
}
