import type { IDataObject } from 'n8n-workflow';

import { nameOf, signaturePlacesOf } from '../../api/templates';
import type { Signatory, Template } from '../../api/types';
import {
	columnNames,
	foldedName,
	remedyForCell,
	remedyForColumns,
	remedyWithoutColumns,
	shortList,
	type Wanted,
} from '../../columns/columnNames';
import { columnsInWords, columnsOf, valuesIn } from '../../columns/columnMatching';
import { readsOwnColumn } from '../../columns/columnsRead';
import { readItemText } from '../../columns/itemText';
import { columnProblems } from '../../columns/columnProblems';
import { type EnteredText, fieldOf } from '../../form/field';
import { readSwitch } from '../../form/savedForm';
import { textRules } from '../../form/texts';
import {
	checkListLength,
	isUnfilled,
	readChoice,
	readName,
	readNamedEmail,
	shown,
} from '../../form/valueReaders';
import { type ItemContext, rememberFor } from '../../item/item';
import { readJson } from '../../item/jsonText';
import { type MappedForm, noValues, readMapped } from '../../item/mapper';
import { withoutWarnings } from '../../item/sendDespiteWarnings';
import {
	columnsOfRole,
	columnsOfTemplate,
	formRolesOf,
	labelsOfPerson,
	lastRolesField,
	rolesField,
} from '../../templateForm/roles';
import { checkNames } from '../../templateForm/templateChoice';
import { InputError, MissingValue, readAll, readEach } from '../../errors/inputError';
import { type Settled, settleSync, valueOf } from '../../util/async';
import { comparedEmail } from '../../util/comparedEmail';
import { onOneLine } from '../../util/text';
import { isObject, listOf, objectOf, textOf } from '../../util/values';
import { peopleProblems } from '../sendingProblems';
import { signatorySources } from './signatoryFields';

interface EnteredSignatory {
	name?: unknown;
	email?: unknown;
	/** How errors refer to the person's entry in the form: by its role, or as "Signatory 2". */
	who: string;
	/** The name and the email as saved in the workflow, which may be expressions. */
	saved?: { name?: unknown; email?: unknown };
	/** The columns that the name and the email come from ("Map automatically"). */
	columns?: { name: string | undefined; email: string | undefined };
	/** The property names of the person in a list that an expression returned. */
	keys?: string[];
	/** The person's role in such a list. */
	role?: unknown;
}

export function readSignatories(item: ItemContext, template: Template): Signatory[] {
	const mayBeFewer = readSwitch(item, lastRolesField);
	const { people, isByRole } = enteredPeople(item, () => template, { mayBeFewer });
	const signatories = checkSignatories(item, people);
	if (!isByRole) {
		checkCount(template, people.length, mayBeFewer);
		checkRoles(template, people);
	}
	return signatories;
}

/**
 * Reads the people of an item that isn't sent: their names and addresses as far as they can be read, to name the item,
 * and their addresses as sending would read them, to compare them. Names don't matter for that, and neither do likely
 * mistakes.
 * @param template Not needed for an address, unless the people are entered by role.
 * @returns `addresses` is an error if the item couldn't be sent to all of its people.
 */
export function describeSignatories(
	item: ItemContext,
	template: Settled<Template>,
): { signatories: IDataObject[]; addresses: Settled<string[]> } {
	const unwarned = withoutWarnings(item);
	const entered = settleSync(() => {
		const mayBeFewer = readSwitch(item, lastRolesField);
		const options = { mayBeFewer, needsNames: false };
		return { ...enteredPeople(unwarned, () => valueOf(template), options), mayBeFewer };
	});
	return {
		signatories: entered.ok ? entered.value.people.flatMap(describedPerson) : [],
		addresses: settleSync(() => {
			const { people, isByRole, mayBeFewer } = valueOf(entered);
			const addresses = readAddresses(unwarned, people);
			if (!isByRole && template.ok) checkCount(template.value, people.length, mayBeFewer);
			return addresses;
		}),
	};
}

/** An item with a wrong address keeps its name. */
function describedPerson({ name, email }: EnteredSignatory): IDataObject[] {
	const address = settleSync(() => readNamedEmail(email, 'Email'));
	const namedAddress = address.ok ? address.value : undefined;
	const fullName = settleSync(() => readName(isUnfilled(name) ? namedAddress?.name : name, 'Name'));
	const described = {
		...(namedAddress ? { email: namedAddress.email } : {}),
		...(fullName.ok ? { name: onOneLine(fullName.value) } : {}),
	};
	return Object.keys(described).length > 0 ? [described] : [];
}

/**
 * Whether the people of an empty row come from its columns, and come out empty, so that there is no one to send it to.
 * @throws InputError if the form can't be read.
 */
export function lacksPeople(item: ItemContext): boolean {
	const from = readSource(item);
	if (from === 'byRole') {
		const form = readMapped(item, fieldOf(rolesField), new Map());
		return form.mode === 'autoMapInputData' || areEmptyInRow(valuesOfRoles(item, form));
	}
	if (from === 'expression' && isUnfilled(readRows(item))) {
		return readsOwnColumn(item.rawParameter('signatoriesList'));
	}
	return areEmptyInRow(enteredOneByOne(item, from));
}

/**
 * Whether all that reads the row's columns is empty: the addresses, because a name can have a fixed part, or the names,
 * if no address does. A person who is in the form, for example to countersign every contract, doesn't count.
 */
function areEmptyInRow(people: EnteredSignatory[]): boolean {
	const valuesOfRow = (property: 'name' | 'email') =>
		people
			.filter(({ saved }) => readsOwnColumn(saved?.[property]))
			.map((person) => person[property]);
	const [addresses, names] = [valuesOfRow('email'), valuesOfRow('name')];
	const values = addresses.length > 0 ? addresses : names;
	return values.length > 0 && values.every(isUnfilled);
}

/** Returns an entry for each name and each address, whatever roles the template has. */
function valuesOfRoles(item: ItemContext, { values, saved }: MappedForm): EnteredSignatory[] {
	const whole = item.rawParameter(rolesField.name);
	return [...values].map(([id, value]) => {
		const property = id.endsWith('.email') ? 'email' : 'name';
		const savedValue = saved[id] ?? (isObject(whole) ? whole.value : whole);
		return { [property]: value, saved: { [property]: savedValue }, who: id };
	});
}

interface PeopleOptions {
	/** Whether the last roles may stay empty. */
	mayBeFewer: boolean;
	/** Whether a missing column with names is an error, as a missing column with addresses is. It is by default. */
	needsNames?: boolean;
}

/** @param templateOf Returns the template, or throws its error if there is none. Only called for people by role. */
function enteredPeople(
	item: ItemContext,
	templateOf: () => Template,
	options: PeopleOptions,
): { people: EnteredSignatory[]; isByRole: boolean } {
	const from = readSource(item);
	if (from === 'byRole') {
		return { people: peopleByRole(item, templateOf(), options), isByRole: true };
	}
	const entered = enteredOneByOne(item, from);
	return { people: withoutEmptyEnd(entered, () => options.mayBeFewer), isByRole: false };
}

type Source = (typeof signatorySources)[number]['value'];

function readSource(item: ItemContext): Source {
	const source = item.parameter('specifySignatories');
	return readChoice(source, 'Specify Signatories', signatorySources).value;
}

function enteredOneByOne(item: ItemContext, from: Exclude<Source, 'byRole'>): EnteredSignatory[] {
	const entries =
		from === 'expression'
			? fromExpression(item)
			: listOf(objectOf(item.parameter('signatories')).signatory);
	checkListLength(entries, 'Signatories');
	const savedEntries = listOf(objectOf(item.rawParameter('signatories')).signatory);
	const list = item.rawParameter('signatoriesList');
	return entries.map(objectOf).map((entry, index) => ({
		...(from === 'expression' ? personOf(entry) : { name: entry.name, email: entry.email }),
		who: `Signatory ${index + 1}`,
		saved: from === 'expression' ? { name: list, email: list } : objectOf(savedEntries[index]),
	}));
}

/**
 * Leaves out trailing entries whose name and email are both empty. Empty entries elsewhere stay in the list
 * and cause an error, because the service infers roles from the order of the people. If one of these were
 * left out, everyone after it would sign in the wrong role.
 */
function withoutEmptyEnd(
	people: EnteredSignatory[],
	mayBeOmitted: (index: number) => boolean,
): EnteredSignatory[] {
	const isOmitted = people.map(
		({ name, email }, index) => mayBeOmitted(index) && isUnfilled(name) && isUnfilled(email),
	);
	return people.slice(0, isOmitted.lastIndexOf(false) + 1);
}

/** Returns the people in the form, in the order of the template's roles. */
function peopleByRole(
	item: ItemContext,
	template: Template,
	{ mayBeFewer, needsNames = true }: PeopleOptions,
): EnteredSignatory[] {
	const roles = formRolesOf(template);
	const names = new Map(roles.flatMap(columnsOfRole).map(({ key, formLabel }) => [key, formLabel]));
	const form = readMapped(item, fieldOf(rolesField), names);
	if (form.isMissing) throw noValues('Signatories');
	const isAutomatic = form.mode === 'autoMapInputData';
	const columns = isAutomatic ? peopleInColumns(item, template, { names, needsNames }) : undefined;
	const values = columns ? valuesIn(item.input.json, columns) : form.values;
	checkNames(item, values, { field: rolesField, knownNames: [...names.keys()] });
	const people = roles.map(({ label, nameId, emailId }) => ({
		name: values.get(nameId),
		email: values.get(emailId),
		who: label,
		saved: { name: form.saved[nameId], email: form.saved[emailId] },
		...(columns ? { columns: { name: columns.get(nameId), email: columns.get(emailId) } } : {}),
	}));
	return withoutEmptyEnd(people, (index) => mayBeFewer || !roles[index]?.isNeeded);
}

/**
 * To leave a role empty, its columns must exist and be empty. A missing column is an error, because the
 * column may just be misspelled, and without it, the document would lack a signature. For a role that doesn't
 * need a person, both columns may be missing.
 */
function peopleInColumns(
	item: ItemContext,
	template: Template,
	{ names, needsNames }: { names: ReadonlyMap<string, string>; needsNames: boolean },
): Map<string, string | undefined> {
	const { json } = item.input;
	const roles = formRolesOf(template);
	const section = 'Signatories';
	const columnsOfThose = (what: string, isWanted: (column: Wanted) => boolean) =>
		columnsOf(
			item,
			rememberFor(item, template, `form of ${section}: ${what}`, () => ({
				section,
				names,
				wanted: roles.flatMap(columnsOfRole).filter(isWanted),
				owners: new Map(
					columnsOfTemplate(template).map(({ name, person }) => [name, person?.key ?? null]),
				),
			})),
		);
	const isNeeded = ({ key }: Wanted) => needsNames || key.endsWith('.email');
	const columns = columnsOfThose(needsNames ? 'everything' : 'addresses', isNeeded);
	if (!needsNames) {
		const others = settleSync(() => columnsOfThose('names', (column) => !isNeeded(column)));
		for (const [key, column] of others.ok ? others.value : []) columns.set(key, column);
	}
	const hasColumn = ({ key }: Wanted) => columns.get(key) !== undefined;
	const wanted = roles
		.filter((role) => role.isNeeded || columnsOfRole(role).some(hasColumn))
		.flatMap(columnsOfRole)
		.filter(isNeeded);
	const missing = wanted.filter((column) => !hasColumn(column));
	if (missing.length === 0) return columns;
	throw new MissingValue('Signatories', {
		...columnProblems.noneForPeople(shortList(columnNames(missing)), columnsInWords(item, missing)),
		remedy:
			missing.length === wanted.length ? remedyWithoutColumns(json, wanted) : remedyForColumns,
	});
}

const listLabel = 'Signatories';

function readRows(item: ItemContext): unknown {
	const name = 'signatoriesList';
	return readJson(item, { label: listLabel, saved: item.rawParameter(name) }, () =>
		item.parameter(name),
	);
}

function fromExpression(item: ItemContext): IDataObject[] {
	const list = readRows(item);
	if (Array.isArray(list) && list.every(isObject)) return list;
	throw new InputError(listLabel, peopleProblems.noList(shown(list)));
}

function isProperty(name: string, wanted: string): boolean {
	return name.trim().toLowerCase() === wanted;
}

/** Property names aren't case-sensitive: `Email` and `EMAIL` both work. */
function personOf(person: IDataObject): Pick<EnteredSignatory, 'name' | 'email' | 'keys' | 'role'> {
	const propertyOf = (wanted: string): unknown => {
		const names = Object.keys(person).filter((name) => isProperty(name, wanted));
		return person[names.find((name) => name === wanted) ?? names[0] ?? wanted];
	};
	const [email, name, role] = ['email', 'name', 'role'].map(propertyOf);
	return { email, name, role, keys: Object.keys(person) };
}

function savedAs({ saved, keys }: EnteredSignatory, property: 'name' | 'email'): unknown {
	return hasProperty(keys, property) ? saved?.[property] : undefined;
}

function hasProperty(keys: string[] | undefined, property: string): boolean {
	return !keys || keys.some((key) => isProperty(key, property));
}

/** If the name or email is missing, adds to the error where it should have come from. */
function withSource(
	{ columns, keys }: EnteredSignatory,
	property: 'name' | 'email',
	read: () => string,
): string {
	const reading = settleSync(read);
	if (reading.ok || !(reading.error instanceof MissingValue)) return valueOf(reading);
	const { field, problem } = reading.error;
	const column = columns?.[property];
	if (column !== undefined)
		throw new MissingValue(field, { problem, remedy: remedyForCell(column) });
	if (hasProperty(keys, property)) throw reading.error;
	const others = shortList(keys ?? [], 5);
	throw new MissingValue(field, peopleProblems.noProperty({ problem, property, others }));
}

function checkSignatories(item: ItemContext, people: EnteredSignatory[]): Signatory[] {
	const checkDistinct = distinctAddresses();
	return readEach(atLeastOne(people), (entry) => {
		const { name, email, who } = entry;
		// Read the fields in form order so that the error lists them in the same order.
		const address = settleSync(() => readNamedEmail(email, 'Email'));
		const named = address.ok ? address.value : undefined;
		const enteredName = {
			label: labelsOfPerson(who).nameLabel,
			value: isUnfilled(name) ? named?.name || name : name,
			saved: savedAs(entry, 'name'),
		};
		const read = readAll({
			name: () => withSource(entry, 'name', () => readPersonName(item, enteredName)),
			email: () => readAddress(item, entry),
		});
		checkDistinct(entry, read.email);
		// In the same order as what the service returns, so a checked row looks like a sent one.
		return { email: read.email, name: read.name };
	});
}

/** @throws InputError if someone has no valid address, or if two people have the same one. */
function readAddresses(item: ItemContext, people: EnteredSignatory[]): string[] {
	const checkDistinct = distinctAddresses();
	return readEach(atLeastOne(people), (entry) => {
		const address = readAddress(item, entry);
		checkDistinct(entry, address);
		return address;
	});
}

function atLeastOne(people: EnteredSignatory[]): EnteredSignatory[] {
	if (people.length > 0) return people;
	throw new InputError('Signatories', peopleProblems.nobody);
}

function readAddress(item: ItemContext, entry: EnteredSignatory): string {
	const { emailLabel: label } = labelsOfPerson(entry.who);
	const entered = { label, value: entry.email, saved: savedAs(entry, 'email') };
	// Braces are valid before the @, so {{$json.user}}@example.com is an address.
	return withSource(entry, 'email', () => readItemText(item, entered, textRules.email()));
}

/** Returns a function that refuses an address that an earlier entry has, and names that entry. */
function distinctAddresses(): (entry: EnteredSignatory, address: string) => void {
	/** Maps each email address, in lowercase, to the label of its entry. */
	const entriesByEmail = new Map<string, string>();
	return ({ who }, address) => {
		const { emailLabel } = labelsOfPerson(who);
		const key = comparedEmail(address);
		const firstEntry = entriesByEmail.get(key);
		if (firstEntry !== undefined) {
			throw new InputError(emailLabel, peopleProblems.sameEmail(address, firstEntry));
		}
		entriesByEmail.set(key, emailLabel);
	};
}

/** A name with a line break, which a spreadsheet cell may contain, is put on one line, with a warning. */
function readPersonName(item: ItemContext, entered: EnteredText): string {
	const written = readItemText(item, entered, textRules.name());
	const name = onOneLine(written);
	if (name !== written) {
		item.judge(entered.label, { severity: 'warning', ...peopleProblems.severalLines });
	}
	return name;
}

function checkCount(template: Template, count: number, mayBeFewer: boolean): void {
	const signaturePlaces = signaturePlacesOf(template);
	if (signaturePlaces.length === 0 || signaturePlaces.length === count) return;
	if (mayBeFewer && count < signaturePlaces.length) return;
	const roles = signaturePlaces.map(({ label }) => label).join(', ');
	const facts = { template: nameOf(template), roles, count, option: lastRolesField.label };
	throw new InputError('Signatories', peopleProblems.otherCount(facts));
}

/**
 * Refuses a list in which a person's role isn't the role of the person's place, because the service gives the people
 * their roles in order. Anything but a role of the template can mean something else.
 */
function checkRoles(template: Template, people: EnteredSignatory[]): void {
	const places = signaturePlacesOf(template);
	const isNamed = (place: (typeof places)[number] | undefined, role: string) =>
		[place?.id, place?.label].some((name) => name !== undefined && foldedName(name) === role);
	readEach(people, ({ role: entered, who }, index) => {
		const role = foldedName(textOf(entered));
		const place = places[index];
		if (!place || isNamed(place, role) || !places.some((other) => isNamed(other, role))) return;
		const roles = places.map(({ label }) => label).join(', ');
		const facts = { role: textOf(entered), place: place.label, roles };
		throw new InputError(who, peopleProblems.otherRole(facts));
	});
}
