/** Where the source and the documentation are; package.json says the same (test/docs/repository.test.ts). */
export const repository = 'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify';

/** A heading of docs/errors.md that has messages below it, as the end of its address. */
export type Topic =
	| 'may-have-been-created'
	| 'the-credential'
	| 'the-service-cannot-be-reached'
	| 'the-service-says-no'
	| 'a-field-of-the-form'
	| 'files'
	| 'the-trigger'
	| 'waiting'
	| 'other-messages';

/** The sentence that a description ends with: where the message is explained. */
export function moreAbout(topic: Topic): string {
	return `More: ${repository}/blob/main/docs/errors.md#${topic}`;
}
