import { Type, type Static } from '@sinclair/typebox';
import { exactly } from './common';

/** A variable of a version 1 template (interface: Template, version 1, `inputs`). */
export const TemplateInputSchema = exactly({
	key: Type.String(),
	type: Type.String(),
	isRequired: Type.Boolean(),
	label: Type.String(),
});

/** A list entry of `GET /templates` (interface: Template, version 1). */
export const TemplateV1Schema = exactly({
	_id: Type.String(),
	templateID: Type.String(),
	userID: Type.String(),
	name: Type.String(),
	description: Type.String(),
	inputs: Type.Array(TemplateInputSchema),
});

/** A variable or a question of a version 2 template (interface: `form`, `formSignatory`). */
export const TemplateFormFieldSchema = exactly({
	key: Type.String(),
	type: Type.String(),
	isRequired: Type.Boolean(),
	label: Type.String(),
	_id: Type.String(),
});

/** A list entry of `GET /templates/v2` (interface: Template, version 2). */
export const TemplateV2Schema = exactly({
	_id: Type.String(),
	templateID: Type.String(),
	name: Type.String(),
	description: Type.String(),
	key: Type.String(),
	status: Type.String(),
	signatories: Type.Array(exactly({ key: Type.String(), type: Type.String(), _id: Type.String() })),
	form: Type.Array(TemplateFormFieldSchema),
	formSignatory: Type.Array(TemplateFormFieldSchema),
});

/** `responseData` of `GET /templates`. */
export const TemplateListV1Schema = exactly({ templates: Type.Array(TemplateV1Schema) });
/** `responseData` of `GET /templates/v2`. */
export const TemplateListV2Schema = exactly({ templates: Type.Array(TemplateV2Schema) });

/** A version 1 template, as the list carries it. */
export type TemplateV1 = Static<typeof TemplateV1Schema>;
/** A version 2 template, as the list carries it. */
export type TemplateV2 = Static<typeof TemplateV2Schema>;
