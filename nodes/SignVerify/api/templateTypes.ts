import type { PageSize } from './documentTypes';
import type { Open } from './values';

/** A variable of a template: `inputs` (v1). */
export interface TemplateVariable {
	key: string;
	type: Open<'text'>;
	isRequired: boolean;
	label: string;
}

/** The same in version 2: `form`, `formSignatory`. */
export interface TemplateFormField extends TemplateVariable {
	_id: string;
}

/** Template, version 1 (list entry). */
export interface TemplateV1 {
	_id: string;
	templateID: string;
	userID: string;
	name: string;
	description: string;
	inputs: TemplateVariable[];
}

/** Template, version 2 (list entry). */
export interface TemplateV2 {
	_id: string;
	templateID: string;
	name: string;
	description: string;
	key: string;
	status: Open<'ACTIVE'>;
	/** The signature slots. */
	signatories: Array<{ key: string; type: Open<'signature'>; _id: string }>;
	/** The variables to fill when creating the document. */
	form: TemplateFormField[];
	/** Questions put to each signatory before signing. */
	formSignatory: TemplateFormField[];
}

/** Element of `staticSignPositions` (docs/service.md#where-the-signatures-go). */
export interface StaticSignPosition {
	user: { email: string };
	coordinates: { x: number; y: number };
	page: number;
	pageY: number;
	pageYv2: number;
	/** Hex colour. */
	color: string;
	imageSize: PageSize;
	parentImageSize: PageSize;
	viewport: PageSize;
}

/** Body of both creating calls; `staticSignPositions` belongs to version 1. */
export interface CreateDocumentBody {
	templateID: string;
	country: string;
	inputs: Record<string, string>;
	signatories: Array<{ email: string; name: string }>;
	staticSignPositions?: StaticSignPosition[];
}
