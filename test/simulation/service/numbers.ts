/** The first number whose neighbours JSON.parse cannot tell apart. */
const beginning = 2n ** 53n;

/** What names an ID of a document, a request or a webhook in JSON. */
const member = /"(documentID|documentId|_id|webHookID|validationId|sessionId)":"([0-9a-f]{24})"/g;

/** The IDs of the service as others see them: as they are, or as JSON numbers beyond 2^53, one after another. */
export class Numbers {
	private readonly numbers = new Map<string, string>();

	private readonly ids = new Map<string, string>();

	constructor(private readonly isOn: boolean) {}

	/** An ID as somebody sees it who keeps all its digits. */
	seen(id: string): string {
		if (!this.isOn) return id;
		const known = this.numbers.get(id) ?? String(beginning + BigInt(this.ids.size));
		this.numbers.set(id, known);
		this.ids.set(known, id);
		return known;
	}

	/** The ID of a number that came in; what is none stays as it is. */
	id(given: string): string {
		return this.ids.get(given) ?? given;
	}

	/** A path whose last part can be such a number, with its ID. */
	path(given: string): string {
		return given.replace(/[^/]+$/, (last) => this.id(last));
	}

	/** What goes out as JSON: a text if there are numbers in it. */
	json(body: unknown): unknown {
		if (!this.isOn || typeof body === 'string') return body;
		const text = JSON.stringify(body);
		return text.replace(member, (_, name: string, id: string) => `"${name}":${this.seen(id)}`);
	}
}
