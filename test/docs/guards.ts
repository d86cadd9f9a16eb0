import { operations, resources } from '../../nodes/SignVerify/operations';
import { ENDPOINTS, CONTRACT } from '../../sandbox/contract/endpoints';
import { anchorsOf, spansOf, type Page } from './markdown';

// What a new operation and a new endpoint need on the pages; docs/dev/adding-an-operation.md names it.

/** The endpoints that docs/dev/service.md does not describe, and what to add there. */
export function endpointsMissingOn(page: Page): string[] {
	const spans = spansOf(page);
	const anchors = anchorsOf(page);
	return ENDPOINTS.flatMap((name) => {
		const [method, url = ''] = name.split(' ');
		const call = `${method} {base_url}${url.replace(/:(\w+)/g, '{$1}')}`;
		const { anchor } = CONTRACT[name];
		return [
			...(spans.includes(call) ? [] : [`${page.file} has no call ${call}: add its table`]),
			...(anchors.includes(anchor) ? [] : [`${page.file} has no heading #${anchor}: add it`]),
		];
	});
}

/** The calls of the page that the sandbox does not have, and what to add to it. */
export function callsWithoutEntry(onPage: Array<{ call: string }>): string[] {
	const known = ENDPOINTS.map((name) => name.replace(/:(\w+)/g, '{$1}'));
	return onPage
		.map(({ call }) => call.replace('{base_url}', ''))
		.filter((call) => !known.some((each) => each === call))
		.map(
			(call) =>
				`${call} is in docs/dev/service.md, but has no entry: add it to sandbox/contract/endpoints/`,
		);
}

/** The operations that the README's table does not have, and what to add there. */
export function operationsMissingOn(page: Page): string[] {
	const rows = page.prose
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map((line) => line.split('|').map((cell) => cell.trim()));
	return operations
		.filter(({ resource, name }) => {
			const own = rows.filter(([, first]) => first === resources[resource].name);
			return !own.flatMap(([, , cell = '']) => cell.split(', ')).includes(name);
		})
		.map(
			({ resource, value, name }) =>
				`${page.file} does not name ${resource}/${value}: add "${name}" to the row ${resources[resource].name} of its table`,
		);
}

/** The rows of the page that no conformance test checks, and where to add them. */
export function rowsWithoutCheck(ofPage: string[], checked: string[]): string[] {
	return ofPage
		.filter((row) => !checked.includes(row))
		.map((row) => `No test checks the row "${row}": add it to test/sandbox/conformance/`);
}
