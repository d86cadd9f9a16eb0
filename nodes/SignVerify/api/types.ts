import type { IDataObject } from 'n8n-workflow';

import type { EventType } from './events';

/*
 * The types of everything that the nodes send, and of everything that they output as the service returns it
 * (docs/dev/service.md#resources). The compiler compares these types with the schemas of the sandbox
 * (test/types/interface.ts). Responses and notifications have no types here, because nothing in them is certain. Each of
 * their fields is checked where it is read.
 */

/** A union of observed values that accepts any other value as well, because the full sets are not documented. */
type Open<Observed extends string> = Observed | (string & Record<never, never>);

/** Webhook registration. */
export interface Webhook {
	webHookID: string;
	type: Open<EventType>;
	/** epoch-ms; present for document webhooks. */
	addedOn?: number;
	webHookUrl: string;
	/** Present for identity webhooks. */
	name?: string;
	/** Empty in all shown responses; the shape of an element is not shown. */
	options?: unknown[];
}

/** Body of `POST /identity/validation/request`. Values of `type` other than FACE are not known. */
export interface IdentityRequestBody {
	email: string;
	type: string;
	backgroundCheck: boolean;
}

/** A variable of a template (docs/dev/service.md#template-version-1). */
export interface TemplateVariable {
	key: string;
	type: Open<'text'>;
	isRequired: boolean;
	label: string;
}

/** The two generations of templates (docs/dev/service.md#versions). */
export type TemplateVersion = 'v1' | 'v2';

/**
 * A template as listed, as far as the nodes read it, and of which generation it is
 * (docs/dev/service.md#template-version-1, #template-version-2).
 */
export interface Template {
	templateVersion: TemplateVersion;
	/** A template has at least one of its two IDs. */
	_id?: string;
	templateID?: string;
	name?: string;
	description?: string;
	/** Version 1: the variables to fill when creating the document. */
	inputs?: TemplateVariable[];
	/** Version 2: the same. */
	form?: TemplateVariable[];
	/** Version 2: the questions that each signatory answers before signing. */
	formSignatory?: TemplateVariable[];
	/** Version 2: the places to sign. */
	signatories?: IDataObject[];
	/** Version 2. */
	status?: Open<'ACTIVE'>;
}

/** In PDF points. */
interface PageSize {
	width: number;
	height: number;
}

/** Element of `staticSignPositions` (docs/dev/service.md#where-the-signatures-go). */
export interface StaticSignPosition {
	user: { email: string };
	coordinates: { x: number; y: number };
	page: number;
	pageY: number;
	pageYv2: number;
	/** A hex color. */
	color: string;
	imageSize: PageSize;
	parentImageSize: PageSize;
	viewport: PageSize;
}

/** A signatory of a document to create. */
export interface Signatory {
	email: string;
	name: string;
}

/** Body of both creating calls; `staticSignPositions` belongs to version 1. */
export interface CreateDocumentBody {
	templateID: string;
	country: string;
	inputs: Record<string, string>;
	signatories: Signatory[];
	staticSignPositions?: StaticSignPosition[];
}
