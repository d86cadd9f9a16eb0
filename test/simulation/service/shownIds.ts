/** What names an ID of a document, a request or a webhook in JSON. */
const member = /"(documentID|documentId|_id|webHookID|validationId|sessionId)":"([0-9a-f]{24})"/g;

/** The IDs of the service as others see them. */
export class ShownIds {
	/** What stands for an ID, and the ID of what stands for it. */
	private readonly shown = new Map<string, string | bigint>();

	private readonly ids = new Map<string, string>();

	/**
	 * @param nameOf What stands for the ID that is seen after so many others; in JSON, a bigint is a number.
	 *   Without it, IDs are shown as they are.
	 */
	constructor(private readonly nameOf?: (before: number) => string | bigint) {}

	/** An ID as somebody sees it who keeps all its digits. */
	seen(id: string): string {
		return String(this.name(id));
	}

	/** The ID of what came in; what stands for none stays as it is. */
	id(given: string): string {
		return this.ids.get(given) ?? given;
	}

	/** A path whose last part can stand for an ID, with that ID. */
	path(given: string): string {
		return given.replace(/[^/]+$/, (last) => this.id(last));
	}

	/** What goes out as JSON: a text if anything in it stands for an ID. */
	json(body: unknown): unknown {
		if (!this.nameOf || typeof body === 'string') return body;
		const text = JSON.stringify(body);
		return text.replace(member, (_, name: string, id: string) => {
			const shown = this.name(id);
			return `"${name}":${typeof shown === 'bigint' ? shown : JSON.stringify(shown)}`;
		});
	}

	private name(id: string): string | bigint {
		if (!this.nameOf) return id;
		const known = this.shown.get(id) ?? this.nameOf(this.ids.size);
		this.shown.set(id, known);
		this.ids.set(String(known), id);
		return known;
	}
}
