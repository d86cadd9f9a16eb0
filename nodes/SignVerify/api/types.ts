import type { IDataObject } from 'n8n-workflow';

import type { EventType } from './events';

/*
 * The types of all data that the nodes send to the service, or output in the service's own format
 * (docs/dev/service.md#resources). The compiler compares these types with the schemas of the sandbox, our
 * local copy of the service (test/types/interface.ts). Responses and notifications have no types here,
 * because nothing about them is certain. Instead, the code that reads a field also checks its value.
 *
 * What becomes part of a request or an output is a type instead of an interface, here and in other files. The
 * compiler accepts an interface as n8n's IDataObject only if it allows any other key as well.
 */

/**
 * A union of observed values that also accepts any other string, because not all possible values are
 * documented.
 */
type Open<Observed extends string> = Observed | (string & Record<never, never>);

export interface Webhook {
	webHookID: string;
	type: Open<EventType>;
	/** epoch-ms; present for document webhooks. */
	addedOn?: number;
	webHookUrl: string;
	/** Present for identity webhooks. */
	name?: string;
	/** Empty in all documented examples, so the format of an element is unknown. */
	options?: unknown[];
}

/** The body of `POST /identity/validation/request`. FACE is the only known value of `type`. */
export type IdentityRequestBody = {
	email: string;
	type: string;
	backgroundCheck: boolean;
};

/** A variable in a template (docs/dev/service.md#template-version-1). */
export interface TemplateVariable {
	key: string;
	type: Open<'text'>;
	isRequired: boolean;
	label: string;
}

/** The two template versions (docs/dev/service.md#versions). */
export type TemplateVersion = 'v1' | 'v2';

/**
 * A listed template, with the fields that the nodes read, plus its version
 * (docs/dev/service.md#template-version-1, #template-version-2).
 */
export interface Template {
	templateVersion: TemplateVersion;
	/** A template has at least one of the two IDs. */
	_id?: string;
	templateID?: string;
	name?: string;
	description?: string;
	/** Version 1: the variables to fill in when creating the document. */
	inputs?: TemplateVariable[];
	/** Version 2: the variables to fill in when creating the document. */
	form?: TemplateVariable[];
	/** Version 2: the questions that each signatory answers before signing. */
	formSignatory?: TemplateVariable[];
	/** Version 2: the places to sign. */
	signatories?: IDataObject[];
	/** Version 2: a name for programs, which people may enter as well. */
	key?: string;
	/** Version 2: the status. */
	status?: Open<'ACTIVE'>;
}

/** A size in PDF points. */
export type PageSize = {
	width: number;
	height: number;
};

/** An element of `staticSignPositions` (docs/dev/service.md#where-the-signatures-go). */
export type StaticSignPosition = {
	user: { email: string };
	coordinates: { x: number; y: number };
	page: number;
	pageY: number;
	pageYv2: number;
	color: string;
	imageSize: PageSize;
	parentImageSize: PageSize;
	viewport: PageSize;
};

export type Signatory = {
	email: string;
	name: string;
};

/** The body of both calls that create a document; only version 1 has `staticSignPositions`. */
export type CreateDocumentBody = {
	templateID: string;
	country: string;
	inputs: Record<string, string>;
	signatories: Signatory[];
	staticSignPositions?: StaticSignPosition[];
};
