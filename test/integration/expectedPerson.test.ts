import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import type { RunData } from '../n8n/database';
import { runAction } from '../support/contexts';
import { failureOf } from '../support/service';
import { verificationWait, useWaitingTest } from '../support/waiting';
import { contentProblems } from '../../nodes/SignVerify/text/contentMistakes';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';

const { service, begin, beginVerification, requested, host, lastIdentity, registrations } =
	useWaitingTest();
// The sandbox's ID belongs to SAMPLE PERSON FICTITIOUS, who was born on 1990-01-01.
const nameOnId = 'Fictitious Sample Person';
const olderThan = (minimumAge: unknown): IDataObject => ({
	options: { minimumAge },
});

/** Fails if a value contains the name or the date of birth on the ID. */
function expectNothingOfThePerson(value: unknown): void {
	const text = JSON.stringify(value).toLowerCase();
	// Shorter parts of the date also occur by chance in random IDs and in the time until which a wait lasts.
	for (const part of ['fictitious', '1990-01-01', '631152000', 'sample-0000', '2099-12-31']) {
		expect(text).not.toContain(part);
	}
}

describe('The results of a verification', () => {
	const results = async (rest: IDataObject) => {
		const sessionId = await requested();
		await service.sandbox.completeIdentity(sessionId, 'pass');
		const parameters = {
			resource: 'identity',
			operation: 'getResults',
			validationId: sessionId,
			...rest,
		};
		const [item] = await runAction(service.credential(), { parameters });
		return item?.json;
	};

	test.each([
		[{ expectedName: nameOnId }, 'yes', 'yes'],
		[{ expectedName: 'Ada Lovelace', ...olderThan(150) }, 'unknown', 'no'],
		[{ expectedName: 'Sample Ada' }, 'unknown', 'yes'],
		[{ expectedName: 'Null Person' }, 'unknown', 'yes'],
		[{}, 'unknown', 'yes'],
	])('with %j show whose ID it is, but no personal data', async (form, nameMatches, isOfAge) => {
		const json = await results(form);
		expect(json).toMatchObject({ passed: true, nameMatches, isOfAge, isExpired: 'no' });
		expect(json).not.toHaveProperty('birthDateMatches');
		expect(json).not.toHaveProperty('documentNumberMatches');
		expectNothingOfThePerson(json);
	});

	test.each([
		['1990-01-01', 'sample 0000', 'yes', 'yes'],
		['01/01/1990', 'SAMPLE000000000000', 'yes', 'yes'],
		[new Date(1990, 0, 1), 'SAMPLE-0001', 'yes', 'unknown'],
		['1990-01-02', 'SAMPLE', 'unknown', 'unknown'],
		['1990-01-01', 'SAMPLE-000', 'yes', 'unknown'],
		['1985-12-10', 'PEPJ850312HDFXXN09', 'unknown', 'unknown'],
		['02/01/1990', '0000', 'unknown', 'unknown'],
	])(
		'compare the date of birth %s and the number %s: %s, %s',
		async (expectedBirthDate, expectedDocumentNumber, birthDateMatches, documentNumberMatches) => {
			const options = {
				expectedBirthDate,
				expectedDocumentNumber,
			} as unknown as IDataObject;
			const json = await results({ options });
			expect(json).toMatchObject({ passed: true, birthDateMatches, documentNumberMatches });
			expectNothingOfThePerson(json);
			expect(await results({ options, output: 'raw' })).not.toHaveProperty('birthDateMatches');
		},
	);

	test('explain why an answer will be unknown, without the date', async () => {
		const hints: NodeExecutionHint[] = [];
		const parameters = {
			resource: 'identity',
			operation: 'getResults',
			validationId: await requested(),
			options: { expectedBirthDate: '02/01/1990' },
		};
		await runAction(service.credential(), { parameters, hints, continueOnFail: true });
		const [hint] = hints.map(({ message }) => message);
		expect(hint).toContain(`Expected Birth Date: ${valueProblems.uncertainDay.problem}`);
		expect(hint).not.toContain('02/01');
	});

	test('name the checks that failed, without personal data', async () => {
		const sessionId = await requested();
		await service.sandbox.completeIdentity(sessionId, 'fail');
		const form = { operation: 'getResults', validationId: sessionId };
		const parameters = { resource: 'identity', ...form };
		const [item] = await runAction(service.credential(), { parameters });
		expect(item?.json).toMatchObject({ passed: false });
		expect(item?.json.failedChecks).toEqual([
			'idValidation.overall',
			'liveness.livenessScore',
			'liveness.digitalAttack',
			'liveness.evasionAttack',
			'liveness.overall',
			'faceRecognition.nameMatch',
			'faceRecognition.overall',
			'overall',
		]);
	});

	test('contain the day of birth if personal data is included', async () => {
		const json = await results({ options: { includePersonalData: true } });
		expect(json).toMatchObject({ isOfAge: 'yes', ocr: { birthDate: '1990-01-01' } });
	});

	test.each([
		[{ expectedName: '={{ $json.missing }}' }, 'Expected Name'],
		// The rest of the name would be compared alone, and anyone with these names would match.
		[
			{ expectedName: '=Fictitious {{ $json.missing }}' },
			`Expected Name: ${columnProblems.partMissing.problem}, because ${columnProblems.missing('missing', 'none').problem}`,
		],
		[
			{ expectedName: '={{ $json.first }} {{ $json.last }}' },
			`Expected Name: ${columnProblems.partMissing.problem}`,
		],
		// A name that no author could mean would otherwise be answered with "unknown" for every ID.
		[
			{ expectedName: 'undefined' },
			`Expected Name: ${contentProblems.noValue.problem('undefined')}`,
		],
		[
			{ expectedName: 'Ada [object Object]' },
			`Expected Name: "Ada [object Object]" ${contentProblems.wholeObject.problem('[object Object]')}`,
		],
		[
			{ options: { expectedBirthDate: '=1990-{{ $json.missing }}' } },
			`Expected Birth Date: ${columnProblems.partMissing.problem}`,
		],
		[
			{ options: { expectedBirthDate: '={{ $json.missing }}' } },
			`Expected Birth Date: ${valueProblems.noValue.problem}`,
		],
		[
			{ options: { expectedDocumentNumber: '=X{{ $json.missing }}' } },
			`Expected Document Number: ${columnProblems.partMissing.problem}`,
		],
		[
			{ options: { expectedDocumentNumber: { number: 'X1' } } },
			'Expected Document Number: must be text',
		],
		[olderThan(0), 'Minimum Age (Years)'],
		[olderThan(18.5), 'Minimum Age (Years)'],
		[olderThan(151), 'Minimum Age (Years)'],
		[olderThan('={{ $json.missing }}'), 'Minimum Age (Years)'],
	])('are refused with %j', async (form, field) => {
		expect((await failureOf(results(form))).message).toContain(field);
	});
});

describe('The output of a wait for a verification', () => {
	/** Starts a wait for a person, completes the verification, and returns the output. */
	const waited = async (form: IDataObject, whileWaiting?: (data: RunData) => void) => {
		const item = { person: nameOnId, other: 'Ada Lovelace', limit: 21 };
		const execution = await beginVerification(form, { items: [item] });
		expect(execution.status).toBe('waiting');
		const { data } = execution.entity;
		const [entry] = data.executionData.nodeExecutionStack;
		const urls = service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);
		expectNothingOfThePerson([entry?.data, urls]);
		whileWaiting?.(data);
		await service.sandbox.completeIdentity(lastIdentity(), 'pass');
		await service.sandbox.idle();
		await registrations(0);
		const json = execution.output[0]?.json;
		expectNothingOfThePerson([json, service.sandbox.requests, host.n8n.logged]);
		return json;
	};

	test.each([
		['={{ $json.person }}', 'yes'],
		['={{ $input.first().json.other }}', 'unknown'],
		['Ada Lovelace', 'unknown'],
		['={{ $json.validationId ?? "" }}', 'unknown'],
		['', 'unknown'],
	])('shows for the expected name %j: %s', async (expectedName, nameMatches) => {
		const json = await waited({ expectedName, ...olderThan('={{ $json.limit }}') });
		expect(json).toMatchObject({ passed: true, nameMatches, isOfAge: 'yes' });
		expect(host.n8n.logged).toEqual([]);
	});

	test.each([
		['1990-01-01', 'SAMPLE-0000', 'yes', 'yes'],
		['={{ "1985-12-10" }}', '=X{{ $json.limit }}', 'unknown', 'unknown'],
		['={{ $json.validationId ?? "" }}', '', undefined, undefined],
	])(
		'shows for the date of birth %j and the number %j: %s, %s',
		async (expectedBirthDate, expectedDocumentNumber, birthDate, documentNumber) => {
			const json = await waited({ options: { expectedBirthDate, expectedDocumentNumber } });
			expect(json).toMatchObject({ passed: true, isExpired: 'no', failedChecks: [] });
			expect(json?.birthDateMatches).toBe(birthDate);
			expect(json?.documentNumberMatches).toBe(documentNumber);
		},
	);

	test('is about the person whom the form named when the wait began, even if it has changed since', async () => {
		const form = {
			expectedName: '={{ $json.person }}',
			options: { expectedBirthDate: '1990-01-01' },
		};
		const json = await waited(form, ({ executionData }) => {
			const [entry] = executionData.nodeExecutionStack;
			Object.assign(entry?.node.parameters ?? {}, { expectedName: 'Ada Lovelace', options: {} });
		});
		expect(json).toMatchObject({ passed: true, nameMatches: 'yes', birthDateMatches: 'yes' });
	});

	test('is unknown at the time limit', async () => {
		const options = { expectedDocumentNumber: 'SAMPLE-0000' };
		const execution = await beginVerification({ expectedName: nameOnId, options });
		const [item] = await execution.timeOut();
		expect(item?.json).toMatchObject({
			outcome: 'timedOut',
			nameMatches: 'unknown',
			isOfAge: 'unknown',
			isExpired: 'unknown',
			documentNumberMatches: 'unknown',
		});
		expect(item?.json).not.toHaveProperty('birthDateMatches');
		expect(item?.json).not.toHaveProperty('failedChecks');
	});

	test('shows whose ID it is if the person is done before the wait', async () => {
		const validationId = await requested();
		await service.sandbox.completeIdentity(validationId, 'pass');
		const form = { expectedName: nameOnId, ...olderThan(150) };
		const execution = await begin(verificationWait(validationId, form));
		expect(execution.status).toBe('success');
		expect(execution.output[0]?.json).toMatchObject({ nameMatches: 'yes', isOfAge: 'no' });
	});
});
