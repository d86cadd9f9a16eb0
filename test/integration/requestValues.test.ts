import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { settle } from '../../nodes/SignVerify/util/async';
import { isObject, objectOf } from '../../nodes/SignVerify/util/values';
import { contract, type EndpointName, endpointNames } from '../../sandbox/contract/endpoints';
import { readPage } from '../docs/markdown';
import { withDefaults } from '../n8n/execute';
import { operationNamed } from '../operations';
import { action, runAction } from '../support/contexts';
import { type FormPlace, formWith, placesOf } from '../support/formPlaces';
import { ada, useService, v1Setup, v2 } from '../support/service';

// Each value that a call can carry can be set in the form, or decisions.md names the other value it follows
// from. The values come from the sandbox's schemas, and the fields from the node's own description, so a new
// value without a field fails here.
const service = useService();
const ben = { email: 'ben@example.com', name: 'Ben Jonson' };

/** The endpoints that create something. Their calls carry all that people enter, except for IDs. */
const creatingEndpoints = endpointNames.filter(
	(name) => name.startsWith('POST ') && contract[name].access !== 'key',
);

/** A JSON schema, as far as requests use it. */
type Schema = { properties?: Record<string, Schema>; items?: Schema };

/** Returns the path to each value in a schema, such as `staticSignPositions[].user.email`. */
function valuesIn(schema: unknown, path = ''): string[] {
	const { properties, items } = objectOf(schema) as Schema;
	if (items) return valuesIn(items, `${path}[]`);
	if (!properties) return path ? [path] : [];
	return Object.entries(properties).flatMap(([name, inner]) =>
		valuesIn(inner, path ? `${path}.${name}` : name),
	);
}

const valuesOf = (name: EndpointName) => {
	const { query, body } = contract[name];
	return [...valuesIn(query), ...valuesIn(body)];
};

/** A call's query and body in one object. */
type Values = IDataObject;

/** Returns a value as text. Only the first entry of a list counts. */
function valueAt(values: Values, path: string): string {
	const found = path.split('.').reduce<unknown>((outer, step) => {
		const name = step.replace('[]', '');
		const inner = isObject(outer) ? outer[name] : undefined;
		return step.endsWith('[]') ? (inner as unknown[] | undefined)?.[0] : inner;
	}, values);
	return JSON.stringify(found) ?? 'none';
}

interface Sent {
	endpoint: EndpointName;
	values: Values;
}

/** A column for each field of each template, so that the template can be changed on its own. */
const columns = () =>
	Object.fromEntries(
		service.sandbox
			.templates()
			.flatMap(({ fields }) =>
				fields.map(({ key }) => [key, /date|start/i.test(key) ? '2027-02-01' : 'Ana']),
			),
	);

/** Runs the node with a form. @returns What it sent; undefined if it refused the form, or sent nothing. */
async function sentWith(parameters: IDataObject): Promise<Sent | undefined> {
	service.sandbox.forgetRequests();
	const run = await settle(runAction(service.credential(), { parameters, items: [columns()] }));
	const request = service.sandbox.requests.find(({ method, path }) =>
		(creatingEndpoints as string[]).includes(`${method} ${path}`),
	);
	if (!run.ok || !request || request.violation !== undefined) return undefined;
	const { method, path, query, body } = request;
	const endpoint = `${method} ${path}` as EndpointName;
	return { endpoint, values: { ...objectOf(query), ...objectOf(body) } };
}

/** Valid forms that together show every field whose value is sent. */
function forms(): IDataObject[] {
	const automatic = { mappingMode: 'autoMapInputData', value: null };
	const position = {
		email: ada.email,
		page: 2,
		pageSize: 'custom',
		pageWidth: 400,
		pageHeight: 500,
		x: 3,
		y: 4,
		width: 30,
		height: 40,
		color: '#1f4fd8',
	};
	const v1 = v1Setup(service).parameters;
	const webhook = { resource: 'webhook', operation: 'create', webhookUrl: 'https://a.example.com' };
	return [
		v2,
		{ ...v2, fields: automatic },
		{ ...v1, fields: automatic },
		{
			...v1,
			signatories: { signatory: [ada, ben] },
			options: { signPositions: { position: [position] } },
		},
		{ resource: 'identity', operation: 'request', email: ada.email },
		{ ...webhook, event: 'signDocument' },
		{ ...webhook, event: 'VERIFICATION_REQUEST_FINISHED', name: 'Checks' },
	];
}

/** Returns values that a field may accept, of the type of its default value. */
function candidatesFor({ choices, byDefault }: FormPlace): unknown[] {
	const values = [
		ben.email,
		'https://b.example.com/x',
		'#b91c1c',
		'Cy Twombly',
		7,
		90,
		true,
		false,
	];
	const ids = service.sandbox.templates().map(({ templateID }) => templateID);
	if (byDefault === undefined) return [...values, ...ids];
	return choices ?? values.filter((value) => typeof value === typeof byDefault);
}

/** Returns the places of a form's single values, not those of whole lists and entries. */
function placesIn(form: IDataObject): FormPlace[] {
	const { resource, operation } = form;
	const { fields } = operationNamed(`${String(resource)}/${String(operation)}`).operation;
	const whole = withDefaults(action, form as INodeParameters);
	const places = placesOf(fields, { ...whole, ...form } as INodeParameters);
	const names = places.map(({ path }) => path.join('.'));
	return places.filter(
		(_, index) => !names.some((name) => name.startsWith(`${names[index] ?? ''}.`)),
	);
}

/** Everything that was sent, and the pairs of requests whose forms differ in one field only. */
async function sendEverything(): Promise<{ all: Sent[]; pairs: Array<[Sent, Sent]> }> {
	const all: Sent[] = [];
	const pairs: Array<[Sent, Sent]> = [];
	const changing = new Set<string>();
	for (const form of forms()) {
		const before = await sentWith(form);
		if (!before) throw new Error(`This form is refused: ${JSON.stringify(form)}`);
		all.push(before);
		for (const place of placesIn(form)) {
			// An earlier form with the same call has already shown that this field changes it.
			const name = `${before.endpoint} ${place.path.join('.')}`;
			if (changing.has(name)) continue;
			for (const value of candidatesFor(place)) {
				const after = await sentWith(formWith(form, place.path, value));
				if (!after) continue;
				if (JSON.stringify(after) === JSON.stringify(before)) {
					// Text that the node accepts without sending it is not sent, whatever it contains.
					if (typeof place.byDefault === 'string' && !place.choices) break;
					continue;
				}
				all.push(after);
				pairs.push([before, after]);
				changing.add(name);
				break;
			}
		}
	}
	return { all, pairs };
}

/** Whether a sentence of decisions.md's section about these values names all of the given ones. */
function isExplained(paths: string[]): boolean {
	const { prose } = readPage('docs/dev/decisions.md');
	const [, section = ''] = prose.split('### Every value of a call can be set\n');
	const [about = ''] = section.split('\n### ');
	return about
		.split(/[.,:]\s/)
		.some((part) =>
			paths.every((path) =>
				path.split('.').some((step) => part.includes(`\`${step.replace('[]', '')}\``)),
			),
		);
}

test('every value of a call can be set in the form, or decisions.md explains what it follows from', async () => {
	const { all, pairs } = await sendEverything();
	expect(creatingEndpoints.length).toBeGreaterThan(4);
	const faults = creatingEndpoints.flatMap((endpoint) => {
		const sent = all.filter((one) => one.endpoint === endpoint).map(({ values }) => values);
		const paths = valuesOf(endpoint);
		const unset = paths.filter((path) => {
			const isChanged = pairs.some(
				([before, after]) =>
					before.endpoint === endpoint &&
					valueAt(before.values, path) !== valueAt(after.values, path),
			);
			return !isChanged;
		});
		const following = paths.flatMap((path, index) =>
			paths
				.slice(index + 1)
				.filter((other) => sent.every((values) => valueAt(values, path) === valueAt(values, other)))
				.filter((other) => !isExplained([path, other]))
				.map((other) => `${endpoint}: ${path} is always the same as ${other}`),
		);
		return [...unset.map((path) => `${endpoint}: no field changes ${path}`), ...following];
	});
	expect(faults).toEqual([]);
});
