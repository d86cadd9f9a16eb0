import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { outputOf } from '../../host/executions';
import { actionSteps, lineOf, toRealPeople } from '../../host/workflow';
import { sendDocument, signDocument } from '../operations/service';
import { clientOf } from '../support/credentials';
import { despite } from '../support/service';
import { until } from '../support/until';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';
import { wordsWith } from '../support/problemWords';
import { useStage } from './support/stage';
import {
	allExecutions,
	clearStage,
	credentialId,
	loggedIn,
	triggerName,
	triggerWorkflow,
} from './support/trigger';
import { untilSucceeded } from './support/wait';

// What people ask of a result: whose ID it is and whether it's valid, which template a name stands for, and which
// contract a file is. Every row runs in n8n, because n8n evaluates the expressions for each item.
const stage = useStage('answers');
beforeAll(async () => await clearStage(stage));
afterEach(() => stage.sandbox.faults.clear());

/** Runs a node for these items. @returns Its output, with a failed item's error. */
async function run(parameters: INodeParameters, items: IDataObject[]): Promise<IDataObject[]> {
	const { api } = stage.n8n;
	const step = (await actionSteps(api))('Do', parameters);
	const workflow = lineOf('Answers', [{ ...step, onError: 'continueRegularOutput' }]);
	workflow.pinData = { Start: items.map((json) => ({ json })) };
	const id = await api.run((await api.createWorkflow(workflow)).id, 'Start');
	const execution = await untilSucceeded(api, id);
	return outputOf(execution, 'Do').map(({ json }) => json);
}

const messageOf = ({ error }: IDataObject) =>
	typeof error === 'string' ? error : String((error as IDataObject | undefined)?.message);

describe('The result of a verification', () => {
	const name = (firstName: string, lastName: string) => ({
		name: { fullName: `${firstName} ${lastName}`, firstName, lastName },
	});
	const onId = {
		...name('ANA', 'GIL RUIZ'),
		birthDate: Date.UTC(1990, 1, 28),
		expirationDate: '2099',
		documentNumber: 'X1234567',
		curp: 'GIRA900228MDFLZN09',
	};
	const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
	const expiring = (expirationDate: string, isExpired: string, expireAt = ''): Row => [
		{ ...onId, expirationDate, expireAt },
		{},
		{ isExpired },
	];
	const born = (birth: string, birthDateMatches: string, birthDate = onId.birthDate): Row => [
		{ ...onId, birthDate },
		{ birth },
		{ birthDateMatches },
	];
	const numbered = (number: string, documentNumberMatches: string, others = {}): Row => [
		{ ...onId, ...others },
		{ number },
		{ documentNumberMatches },
	];
	const called = (
		expected: string,
		...[first, last, nameMatches]: [string, string, string]
	): Row => [{ ...onId, ...name(first, last) }, { name: expected }, { nameMatches }];
	type Row = [onId: IDataObject, expected: IDataObject, answers: IDataObject, score?: IDataObject];
	const passed = { overall: { value: '', status: 'OK' } };

	const table: Row[] = [
		expiring('2099', 'no'),
		expiring(day(3), 'no'),
		expiring('2020-01-31', 'yes'),
		expiring('', 'yes', '2020'),
		expiring(day(0), 'unknown'),
		expiring('', 'unknown'),
		expiring('31/01/2020', 'unknown'),
		expiring('PERMANENTE', 'unknown'),
		expiring('2020-01-31', 'unknown', '2031-01-31'),
		born('1990-02-28', 'yes'),
		born('1985-05-05', 'unknown'),
		born('1990-02-27', 'unknown'),
		born('03/04/1990', 'unknown', Date.UTC(1990, 3, 3)),
		// Midnight in Madrid and in Manila is the day before in UTC.
		born('1990-02-28', 'yes', Date.UTC(1990, 1, 27, 23)),
		born('1990-02-28', 'yes', Date.UTC(1990, 1, 27, 16)),
		numbered('x-123 4567', 'yes'),
		numbered('gira900228mdflzn09', 'yes'),
		numbered('1234567', 'unknown'),
		numbered('GIRA900228MDFLZN01', 'unknown'),
		numbered('X1234567', 'unknown', { documentNumber: '', curp: '' }),
		called('Ana Gil Ruiz', 'ANA', 'GIL RUIZ', 'yes'),
		called('Gil Ruiz, Ana', 'ANA MARIA', 'GIL RUIZ', 'yes'),
		called('Lic. Ana Gil Ruiz', 'ANA', 'GIL RUIZ', 'unknown'),
		called('Fco. Javier Gil', 'FEDERICO JAVIER', 'GIL', 'unknown'),
		called('J. Pérez', 'JUAN', 'PEREZ', 'unknown'),
		called('A. Gil Ruiz', 'CARLOS', 'GIL RUIZ', 'unknown'),
		called('Ma. Ruiz López', 'MARIO', 'RUIZ LOPEZ', 'unknown'),
		called('Lic. Gil Ruiz', 'ANA', 'GIL RUIZ', 'unknown'),
		called('Bob Smith', 'ANA', 'GIL RUIZ', 'unknown'),
		called('Ana Gil', 'ANA', 'GIL RUIZ', 'unknown'),
		called('Ananya De', 'ANANYA', 'DE SOUZA', 'unknown'),
		called('Sun An', 'SU', 'NAN', 'unknown'),
		called('王小明', '小明', '王', 'yes'),
		[onId, {}, { failedChecks: [] }],
		[
			onId,
			{},
			{ failedChecks: ['liveness.overall', 'faceRecognition.lensesCheck'] },
			{
				...passed,
				liveness: { overall: { value: 0.1, status: 'FAIL' } },
				faceRecognition: { lensesCheck: { status: 'WARN' }, maskCheck: { value: '', status: '' } },
				unknownCheck: { status: 'FAIL' },
			},
		],
	];

	test('shows whose ID it is, whether it is valid, and why the person failed, but not what is on the ID', async () => {
		for (const [index, [ocr, , , score = passed]] of table.entries()) {
			stage.sandbox.faults.set({
				endpoint: `GET /identity/session/results/row-${index}`,
				response: {
					status: 200,
					body: { success: true, responseData: { results: { ocr, score }, customerId: 'c' } },
				},
			});
		}
		const output = await run(
			{
				resource: 'identity',
				operation: 'getResults',
				validationId: '={{ $json.id }}',
				expectedName: '={{ $json.name }}',
				options: {
					expectedBirthDate: '={{ $json.birth }}',
					expectedDocumentNumber: '={{ $json.number }}',
				},
			},
			table.map(([, expected], index) => ({
				...{ id: `row-${index}`, name: '', birth: '', number: '' },
				...expected,
			})),
		);
		const rowOf = (answers: IDataObject | undefined, index: number) => ({
			...{ index, expected: table[index]?.[1] },
			...Object.fromEntries(
				Object.keys(table[index]?.[2] ?? {}).map((key) => [key, answers?.[key]]),
			),
		});
		expect(table.map((_, index) => rowOf(output[index], index))).toEqual(
			table.map(([, , answers], index) => rowOf(answers, index)),
		);
		// What isn't expected has no answer.
		expect(output[0]).not.toHaveProperty('birthDateMatches');
		expect(output[0]).not.toHaveProperty('documentNumberMatches');
		expect(JSON.stringify(output)).not.toMatch(/1990|1234567|GIL|RUIZ|GIRA9|2099/);
	});
});

describe("A template's name", () => {
	const template = (templateID: string, name: string, others: IDataObject = {}) => ({
		...{ templateID, _id: `_${templateID}`, name, status: 'ACTIVE' },
		...{ form: [], formSignatory: [], signatories: [{ key: 'tenant', type: 'signature' }] },
		...others,
	});
	const field = { key: 'rent', type: 'text', isRequired: true, label: 'Rent' };
	const byName = (value: string) => ({ __rl: true, mode: 'name', value });
	const form = {
		resource: 'document',
		operation: 'send',
		fields: { mappingMode: 'defineBelow', value: {} },
		specifySignatories: 'oneByOne',
		signatories: { signatory: [{ name: 'Ana Gil', email: 'ana@example.com' }] },
		country: { __rl: true, mode: 'name', value: 'Mexico' },
		...toRealPeople,
		// All rows are for the same person.
		options: despite,
	};
	const createdFrom = () =>
		stage.sandbox.requests
			.filter(({ path, status }) => path.startsWith('/templates/create') && status === 200)
			.map(({ body }) => (body as IDataObject).templateID);

	beforeAll(() => {
		const templates = [
			template('lease', 'Léase', { key: 'lease-2027' }),
			template('loan-a', 'Loan'),
			template('loan-b', 'Loan'),
			template('twin', 'LÉASE 2'),
			template('nda', 'nda'),
			template('sales', 'Sales contract', { key: 'NDA' }),
			template('rent', 'Rent'),
			template('rent-draft', 'rent', { status: 'DRAFT' }),
			template('sale', 'Sale', { form: [field] }),
			{ templateID: 'old', _id: '_old', name: 'Lease 2', inputs: [] },
		];
		expect(stage.sandbox.importTemplates(JSON.stringify(templates)).refused).toEqual([]);
	});

	test('sends the only template with this name or key, and otherwise causes an error with the names that exist', async () => {
		const { severalWithName, noneWithName } = templateProblems;
		const rows: Array<[name: string, result: string]> = [
			['Léase', 'lease'],
			[' léase ', 'lease'],
			['LEASE-2027', 'lease'],
			['lease', noneWithName('lease', '…').problem],
			['lease 2', 'old'],
			['Léase 2', 'twin'],
			['NDA', severalWithName('NDA', '"nda (ID nda)", "Sales contract"').problem],
			['Rent', 'rent'],
			['rent (status DRAFT)', 'Template is not active'],
			['Loan', severalWithName('Loan', '"Loan (ID loan-a)", "Loan (ID loan-b)"').problem],
			['Loan (ID loan-b)', 'loan-b'],
			['Lea', noneWithName('Lea', '…').problem],
			['_lease', noneWithName('_lease', '…').problem],
			['', 'Template: '],
		];
		const before = createdFrom().length;
		const output = await run(
			{ ...form, templateId: byName('={{ $json.template }}') },
			rows.map(([name]) => ({ template: name })),
		);
		const results = output.map((json) => json.templateId ?? messageOf(json));
		for (const [index, [name, result]] of rows.entries()) {
			expect([name, results[index]]).toEqual([name, expect.stringMatching(wordsWith(result))]);
		}
		const ids = rows.map(([, result]) => result).filter((result) => !result.includes(' '));
		expect(createdFrom().slice(before).sort()).toEqual(ids.sort());
	});

	test("belongs to the ID that the form showed, and n8n doesn't run it", async () => {
		const templateId = {
			__rl: true,
			mode: 'list',
			value: 'gone',
			cachedResultName: '={{ $json.number }} Lease',
		};
		const [failed] = await run({ ...form, templateId }, [{ number: 7 }]);
		expect(messageOf(failed ?? {})).toContain(
			templateProblems.noneWithShownName('gone', templateId.cachedResultName).problem,
		);
	});

	test('has the form of its template in the editor', async () => {
		const editor = await loggedIn(stage.n8n.url, stage.owner);
		const { type, credentials } = (await actionSteps(stage.n8n.api))('Do', {});
		const load = async (methodName: string, name: string) =>
			await editor.call<IDataObject>('POST', '/dynamic-node-parameters/resource-mapper-fields', {
				body: {
					path: 'parameters.fields',
					methodName,
					nodeTypeAndVersion: { name: type, version: 1 },
					currentNodeParameters: { ...form, templateId: byName(name) },
					credentials,
				},
			});
		expect(await load('getTemplateFields', 'SALE')).toMatchObject({ fields: [{ id: 'rent' }] });
		expect(await load('getSignatoryRoles', 'lease-2027')).toMatchObject({
			fields: [{ id: 'tenant.name' }, { id: 'tenant.email' }],
		});
		expect(await load('getTemplateFields', 'Lea')).toMatchObject({ fields: [] });
		expect(await load('getTemplateFields', 'Loan')).toMatchObject({ fields: [] });
	});

	test('is enough to send a document and wait for it', async () => {
		const { api } = stage.n8n;
		const parameters = { ...form, operation: 'sendAndWait', templateId: byName('lease-2027') };
		const step = (await actionSteps(api))('Do', parameters);
		const next = { name: 'Next', type: 'n8n-nodes-base.noOp', parameters: {} };
		const { id } = await api.createWorkflow(lineOf('Wait', [step, next]));
		const execution = await api.run(id, 'Start');
		const documentId = await until('the document was sent', async () => {
			const { status } = await api.execution(execution);
			return status === 'waiting' && stage.sandbox.documents().at(-1)?.documentID;
		});
		await signDocument(stage.sandbox, documentId);
		const done = await untilSucceeded(api, execution);
		expect(outputOf(done, 'Next')).toMatchObject([{ json: { outcome: 'completed', documentId } }]);
	});
});

test('two contracts of one person have files with different names', async () => {
	const { api } = stage.n8n;
	const parameters = { events: ['completedDocument'], downloadFiles: true };
	const workflow = triggerWorkflow('Files', parameters, await credentialId(api));
	const { id: workflowId } = await api.createWorkflow(workflow);
	await api.publish(workflowId);
	const ana = { name: 'Ana Gil', email: 'ana@example.com' };
	for (let count = 1; count <= 2; count++) {
		const id = await sendDocument({ client: clientOf(stage.sandbox) }, [ana]);
		await signDocument(stage.sandbox, id);
	}
	const executions = await allExecutions(api, workflowId, 2);
	const files = await Promise.all(
		executions.map(async ({ id }) => {
			const [item] = outputOf(await api.execution(id), triggerName);
			return Object.values(item?.binary ?? {}).map(({ fileName }) => fileName ?? '');
		}),
	);
	expect(files.map((names) => names.length)).toEqual([3, 3]);
	expect(new Set(files.flat()).size).toBe(6);
	for (const fileName of files.flat()) {
		expect(fileName).toMatch(/^Employment contract.*Ana Gil.*[\da-f]{6}.*\.pdf$/);
	}
});
