import { Type, type Static } from '@sinclair/typebox';
import { exactly, observed } from './common';

/** A variable of a version 1 template (docs/dev/service.md#template-version-1). */
export const TemplateInputSchema = exactly(
	{
		key: Type.String(),
		type: observed('text'),
		isRequired: Type.Boolean(),
		label: Type.String(),
	},
	'TemplateVariable',
);

/** An element of the list that `GET /templates` returns (docs/dev/service.md#template-version-1). */
export const TemplateV1Schema = exactly(
	{
		_id: Type.String(),
		templateID: Type.String(),
		userID: Type.String(),
		name: Type.String(),
		description: Type.String(),
		inputs: Type.Array(TemplateInputSchema),
	},
	'TemplateV1',
);

/** A variable or question in a version 2 template (docs/dev/service.md#template-version-2). */
export const TemplateFormFieldSchema = exactly(
	{
		key: Type.String(),
		type: observed('text'),
		isRequired: Type.Boolean(),
		label: Type.String(),
		_id: Type.String(),
	},
	'TemplateFormField',
);

/** An element of the list that `GET /templates/v2` returns (docs/dev/service.md#template-version-2). */
export const TemplateV2Schema = exactly(
	{
		_id: Type.String(),
		templateID: Type.String(),
		name: Type.String(),
		description: Type.String(),
		key: Type.String(),
		status: observed('ACTIVE'),
		signatories: Type.Array(
			exactly({ key: Type.String(), type: observed('signature'), _id: Type.String() }),
		),
		form: Type.Array(TemplateFormFieldSchema),
		formSignatory: Type.Array(TemplateFormFieldSchema),
	},
	'TemplateV2',
);

/** `responseData` of `GET /templates`. */
export const TemplateListV1Schema = exactly({ templates: Type.Array(TemplateV1Schema) });
/** `responseData` of `GET /templates/v2`. */
export const TemplateListV2Schema = exactly({ templates: Type.Array(TemplateV2Schema) });

export type TemplateV1 = Static<typeof TemplateV1Schema>;
export type TemplateV2 = Static<typeof TemplateV2Schema>;
