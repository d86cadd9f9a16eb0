import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { credentialProblems } from '../../nodes/SignVerify/account/credentialProblems';
import { tokenProblems } from '../../nodes/SignVerify/account/tokenProblems';
import { lookUpProblems } from '../../nodes/SignVerify/api/lookUpProblems';
import { fileProblems } from '../../nodes/SignVerify/files/fileProblems';
import {
	callProblems,
	networkProblems,
	refusedProblems,
} from '../../nodes/SignVerify/http/callProblems';
import { registrationProblems } from '../../nodes/SignVerify/registrations/registrationProblems';
import { identityProblems } from '../../nodes/SignVerify/operations/identity/identityProblems';
import { contentProblems } from '../../nodes/SignVerify/text/contentMistakes';
import { dateProblems } from '../../nodes/SignVerify/text/dates';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { listProblems } from '../../nodes/SignVerify/operations/unreadableList';
import { operations, resources } from '../../nodes/SignVerify/operations/nodeForm';
import { requestId } from '../../nodes/SignVerify/operations/identity/fields';
import {
	keyProblems,
	peopleProblems,
	positionProblems,
	runProblems,
} from '../../nodes/SignVerify/operations/sendingProblems';
import { dateLanguageProblems } from '../../nodes/SignVerify/operations/document/dateWriter';
import { publicUrlProblems } from '../../nodes/SignVerify/registrations/publicUrl';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';
import { triggerProblems } from '../../nodes/SignVerify/trigger/form';
import { filterProblems } from '../../nodes/SignVerify/trigger/templateFilter';
import { sendDocumentAndWait } from '../../nodes/SignVerify/operations/document/sendAndWait';
import { cannotWaitProblems } from '../../nodes/SignVerify/wait/canWait';
import { waitProblems } from '../../nodes/SignVerify/wait/waitProblems';
import { root } from '../../scripts/tools';
import { filesIn, textOfFile } from '../support/files';

/*
 * The words of all problems, which no other test repeats: the others name a row. After you change words, run
 * "npm run generate -- problems", and read what has changed in problems.json.
 */

type Words = (...facts: never[]) => object;

/** The facts for each row that depends on some. A row of which none are listed doesn't compile. */
type Facts<Table> = {
	[Row in keyof Table as Table[Row] extends Words ? Row : never]: Table[Row] extends Words
		? Parameters<Table[Row]>
		: never;
};

function sentencesOf<Table extends object>(table: Table, facts: Facts<Table>): object {
	const given = facts as Record<string, unknown[]>;
	return Object.fromEntries(
		Object.entries(table).map(([row, words]: [string, object | Words]) => [
			row,
			typeof words === 'function' ? words(...(given[row] as never[])) : words,
		]),
	);
}

const at = 'https://sign.example.com';
const response = { status: 400, words: 'wrong name' };
const { instead = '' } = sendDocumentAndWait.waits ?? {};
const sentToken = { ...response, body: 'a web page' };
const url = { shown: 'https://n8n.example.com/x', right: 'https://n8n.example.com/' };

const tables: Record<string, object> = {
	callProblems: sentencesOf(callProblems, {
		foreign: [{ at, status: 400, body: 'a web page' }],
		unclear: [response],
		mayHaveCreated: ['The service failed', 'the document'],
	}),
	cannotWaitProblems: sentencesOf(cannotWaitProblems, {
		severalItems: [3, instead],
		oldVersion: [instead],
		engine2: [instead],
	}),
	columnProblems: sentencesOf(columnProblems, {
		emptyPart: ['$json.number', false],
		missing: ['Start', 'Name, Email'],
		otherCharacters: ['Start'],
		severalMatch: ['Start, start'],
		matchesTwoFields: ['Start', ['"Start" (start)', '"Start" (begin)']],
		onlySimilarFilled: ['Start', 'start-'],
		otherDiffers: ['Start', 'start'],
		otherIsEmpty: ['start', 'Start'],
		noneMatchesAnyField: ['Start, Role', 'Name, Email'],
		noneForPeople: ['Employee name', 'Name, Email'],
		noneForField: ['Name, Email'],
		noneForOptionalFields: ['Start, Role'],
		otherAccents: ['Lån'],
		accentMissing: ['Lan'],
		allEmpty: ['Start, Role'],
	}),
	contentProblems: Object.fromEntries(
		Object.entries(contentProblems).map(([row, { problem, remedy }]) => [
			row,
			{ problem: problem('found'), remedy },
		]),
	),
	credentialProblems: sentencesOf(credentialProblems, {
		empty: ['API Key'],
		wrongCharacters: ['API Key'],
		wrongNumber: [{ field: 'Timeout', range: 'a number from 1 to 50' }],
		tooFewRequests: [0.5],
		wrongExpression: ['no $env'],
		unread: [{ reason: 'no database', isMissing: false }],
		severalAccounts: [2],
		otherHost: [at],
		otherHostHeader: [at],
	}),
	dateLanguageProblems: sentencesOf(dateLanguageProblems, { unknown: ['xx'] }),
	dateProblems: sentencesOf(dateProblems, {
		timestamp: ['2027-02-01T10:00:00Z'],
		notWrittenOut: ['01/02/2027'],
		otherDayInUtc: [{ text: '2027-02-01T00:00:00Z', day: '2027-02-01', localDay: '2027-01-31' }],
	}),
	fileProblems: sentencesOf(fileProblems, {
		notReady: ['the document'],
		partial: ['the document'],
		empty: ['the document'],
		storageFailed: [{ noun: 'the document', status: 500 }],
		notFound: [{ noun: 'the document', found: 'a web page' }],
		expired: [{ noun: 'the document', status: 410, found: 'a web page' }],
		tooLarge: ['the document'],
		needsBrowser: ['the document'],
		noFreeSlot: ['the document'],
		tooSlow: [{ noun: 'the document', totalMs: 1000 }],
		broken: [{ noun: 'the document', cause: callProblems.unclear(response) }],
	}),
	filterProblems: sentencesOf(filterProblems, {
		unknownFilter: ['sentBy'],
		lacksIds: [{ missing: 'the ID "1"', template: 'Lease', all: '1, 2' }],
	}),
	identityProblems: sentencesOf(identityProblems, {
		noResults: ['FAILED'],
		noResultsYet: ['PENDING'],
	}),
	keyProblems: sentencesOf(keyProblems, {
		otherContent: ['C-1', 2, ['Country', 'Fields']],
		otherPeople: ['C-1', 'document'],
		repeated: [{ item: 2, first: 1, option: 'Send Once Key' }],
	}),
	listProblems: sentencesOf(listProblems, { otherEncoding: ['Jos\uFFFD'] }),
	lookUpProblems: sentencesOf(lookUpProblems, {
		notFound: [requestId, '1', '(HTTP 404)'],
	}),
	networkProblems: Object.fromEntries(
		Object.entries(networkProblems).map(([row, { words }]) => [
			row,
			words({ at, scheme: 'HTTPS', detail: 'ECODE' }),
		]),
	),
	peopleProblems: sentencesOf(peopleProblems, {
		noList: ['"Ada"'],
		noProperty: [{ problem: 'required, but empty', property: 'email', others: 'name' }],
		sameEmail: ['ada@example.com', 'Email (Signatory 1)'],
		otherCount: [{ template: 'Lease', roles: 'Owner, Tenant', count: 3, option: 'Leave Empty' }],
		otherRole: [{ role: 'Tenant', place: 'Owner', roles: 'Owner, Tenant' }],
		unknownCountry: ['Atlantis'],
	}),
	positionProblems: sentencesOf(positionProblems, {
		definedByTemplate: ['Lease'],
		outsidePage: [800, '792 points high'],
		noSignatory: ['eve@example.com', ['ada@example.com', 'ben@example.com']],
		noColor: ['blue'],
	}),
	publicUrlProblems: sentencesOf(publicUrlProblems, {
		withQuery: [url],
		withEmptyPart: [url],
		withEndpoint: [{ ...url, name: 'webhook' }],
	}),
	refusedProblems: Object.fromEntries(
		Object.entries(refusedProblems).map(([row, { words }]) => [row, words(response)]),
	),
	runProblems: sentencesOf(runProblems, { maybeTest: ['In Test Runs'] }),
	templateProblems: sentencesOf(templateProblems, {
		severalWithId: ['1', ['"Lease" (version 1)', '"Loan" (version 2)']],
		noneWithId: ['1'],
		noneWithShownName: ['1', 'Lease'],
		severalWithName: ['Lease', '"Lease (ID 1)", "Lease (ID 2)"'],
		noneWithName: ['Lease', 'Loan, Sale'],
		inactive: ['Lease', 'DRAFT'],
	}),
	tokenProblems: sentencesOf(tokenProblems, {
		noResponse: [callProblems.unclear(response)],
		notNow: [response],
		redirected: [{ status: 301, rightUrl: at }],
		blocked: [sentToken],
		refused: [response],
		missing: [{ at, ...sentToken }],
		endpointInBaseUrl: [
			{ baseUrl: `${at}/token`, endpoint: '/token', otherwise: tokenProblems.ofAnotherAccount },
		],
	}),
	triggerProblems: sentencesOf(triggerProblems, {
		failingExpression: ['no $json'],
		unknownEvent: ['opened'],
	}),
	valueProblems: sentencesOf(valueProblems, {
		nothingToSelect: ['Template'],
		notFields: ['a list ([])'],
		notValues: ['"Cook"'],
		tooManyEntries: [1200, 1000],
		notText: ['a list (1)'],
		notId: ['a/b'],
		notEmail: ['ada'],
		addressTooLong: ['ada'],
		nameInAddress: ['Ada <ada@example.com>'],
		mixedAlphabets: ['ana@exаmple.com'],
		noDotAfterAt: ['ana@example'],
		unusualDot: ['ada.@example.com'],
		notAChoice: ['one, two'],
		notInRange: ['a number above 0'],
		unsplitColumn: ['required, but empty', 'Name;Email'],
		tooManyEarlierInputs: [10],
	}),
	waitProblems: sentencesOf(waitProblems, {
		notBegun: [{ noun: 'the document', reason: 'no database' }],
		notPutToWait: ['document 1', 'no database'],
	}),
	registrationProblems: sentencesOf(registrationProblems, {
		unreachable: [{ from: at, to: 'http://localhost', remedy: 'Set it.' }],
		urlNotKept: ['without 1 of its 3 parameters'],
		urlUnclear: ['with another host or port'],
		notRegistered: [
			{
				event: 'Signed',
				reason: 'no',
				remedy: 'Try again.',
				existingUrl: undefined,
				remainingIds: '1, 2',
				foreignIds: '3, 4',
			},
		],
		tooSlow: [{ rate: 1, eventCount: 7, least: 2 }],
		notDeleted: ['1'],
	}),
};

const listFile = path.join(__dirname, 'problems.json');

beforeAll(async () => {
	if (!process.env.UPDATE_DOCS) return;
	await writeFile(listFile, `${JSON.stringify(tables, null, '\t')}\n`);
});

test.each(Object.entries(tables))(
	'%s have the words in problems.json (if not, run npm run generate -- problems)',
	(name, table) => {
		const listed = JSON.parse(readFileSync(listFile, 'utf8')) as Record<string, object>;
		expect(JSON.parse(JSON.stringify(table))).toEqual(listed[name]);
	},
);

/**
 * The problems that only an operation that sends can have. Anything else is also shown by operations that send
 * nothing, whose readers would take its words for what an earlier node has sent. If nothing was sent,
 * operations/runErrors.ts says so, and for a wait, operations/document/sendAndWait.ts.
 */
const ofSending = [
	'callProblems.canceledWhileChecking',
	'columnProblems.emptyPart',
	'keyProblems.notStorable',
	'keyProblems.otherContent',
	'keyProblems.otherPeople',
	'keyProblems.sameForAll',
	'peopleProblems.severalLines',
	'peopleProblems.unknownCountry',
	'runProblems.maybeTest',
	'waitProblems.noDocumentId',
	'waitProblems.noEarlierDocumentId',
	'waitProblems.notPutToWait',
];

test('only the problems of operations that send speak of sending', () => {
	const speaking = Object.entries(tables).flatMap(([table, rows]) =>
		Object.entries(rows).flatMap(([row, words]) => {
			const { message, description, problem, remedy } = words as Record<string, unknown>;
			const shown = [message, description, problem, remedy].join(' ');
			return /\bsent\b|\bsends?\b[^.]*\bagain\b/i.test(shown) ? [`${table}.${row}`] : [];
		}),
	);
	expect(speaking.sort()).toEqual(ofSending);
});

test("an operation has the name of n8n's list of nodes, not that of the form", () => {
	const text = JSON.stringify(tables);
	const inForm = operations.flatMap(({ resource, name }) => [
		`${resources[resource].name}: ${name}`,
		// A single word, such as "Get", can also be a verb.
		...(name.includes(' ') ? [name] : []),
	]);
	expect(inForm.length).toBeGreaterThan(operations.length);
	expect(inForm.filter((name) => text.includes(name))).toEqual([]);
});

test('problems.json has every table of problems', () => {
	const code = filesIn(path.join(root, 'nodes'))
		.filter((file) => file.endsWith('.ts'))
		.map((file) => textOfFile(`nodes/${file}`))
		.join('\n');
	const names = [...code.matchAll(/^export const (\w+Problems)\b/gm)].map(([, name]) => name);
	expect(names.sort()).toEqual(Object.keys(tables).sort());
});
