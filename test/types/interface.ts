import type * as shipped from '../../nodes/SignVerify/api/types';
import type * as sandbox from '../../sandbox/schemas';

/*
 * The interface stands twice, on purpose: as types without a line of code in what ships, and as
 * schemas in the sandbox. Nothing here runs: the compiler (`npm test`, "Types") holds one against
 * the other. What the sandbox sends fits the shipped type, and neither side has a field that the
 * other lacks.
 */

type OneSided<Left, Right> = Exclude<keyof Left, keyof Right> | Exclude<keyof Right, keyof Left>;

/** Does not compile where a field has a type that does not fit; names the fields on one side only. */
type Agree<Sent extends Type, Type> = OneSided<Sent, Type>;

/** Does not compile where there is anything to name. */
type Nothing<Named extends never> = Named;

/** The resources of the interface, one after another. */
export type Agreement = Nothing<
	[
		Agree<sandbox.Document, shipped.ServiceDocument>,
		Agree<sandbox.Document['computedFields'], shipped.ServiceDocument['computedFields']>,
		Agree<sandbox.Document['documentFileObj'], shipped.ServiceDocument['documentFileObj']>,
		Agree<sandbox.Signatory, shipped.Signatory>,
		Agree<sandbox.Signatory['forceBiometric'], shipped.Signatory['forceBiometric']>,
		Agree<sandbox.SignatoryField, shipped.SignatureField>,
		Agree<sandbox.LogEntry, shipped.LogEntry>,
		Agree<sandbox.TemplateV1, shipped.TemplateV1>,
		Agree<sandbox.TemplateV2, shipped.TemplateV2>,
		Agree<sandbox.IdentityRequest, shipped.IdentityRequest>,
		Agree<sandbox.IdentityResults, shipped.IdentityResults>,
		Agree<sandbox.IdentityResults['results']['score'], shipped.IdentityResults['results']['score']>,
		Agree<sandbox.IdentityResults['results']['ocr'], shipped.IdentityOcr>,
	][number]
>;
