import { byId, mapped, type Service } from './service';

/** The sandbox's employment contract, and how the tests fill it in. */
export const contract = '65f1c0de0000000000000201';
export const fields = { employee_name: 'Ada Lovelace', role: 'Analyst', start_date: '2027-01-11' };
export const ada = { email: 'ada@example.com', name: 'Ada Lovelace' };

/** The form of document / createFromTemplate, version 2, filled in right. */
export const v2 = {
	resource: 'document',
	operation: 'createFromTemplate',
	templateId: byId(contract),
	fields: mapped(fields),
	signatoriesFrom: 'form',
	signatories: { signatory: [ada] },
	country: { __rl: true, mode: 'name', value: 'Mexico' },
};

/** The form for a version 2 template with a word in each of its fields, but for who signs. */
export function filledForm({
	templateID,
	fields: all,
}: {
	templateID: string;
	fields: Array<{ key: string }>;
}) {
	return {
		templateId: byId(templateID),
		fields: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(all.map(({ key }) => [key, 'Ana'])),
		},
		signatoriesFrom: 'form',
		country: { __rl: true, mode: 'name', value: 'Mexico' },
	};
}

/** A version 1 template of the sandbox, with a value for each of its inputs. */
export function v1Setup({ sandbox }: Service) {
	const template = sandbox.templates().find((each) => each.generation === 'v1');
	if (!template) throw new Error('The sandbox has no version 1 template.');
	const inputs = Object.fromEntries(template.fields.map(({ key, label }) => [key, `the ${label}`]));
	const parameters = {
		...v2,
		templateId: byId(template.templateID),
		fields: mapped(inputs),
	};
	return { template, inputs, parameters };
}

/** The creating calls that reached the sandbox. */
export function creationsAt({ sandbox }: Service) {
	return sandbox.requests.filter((each) => each.path.startsWith('/templates/create'));
}
