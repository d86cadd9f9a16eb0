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

/** The rows of the page that no conformance test checks, and where to add them. */
export function rowsWithoutCheck(ofPage: string[], checked: string[]): string[] {
	return ofPage
		.filter((row) => !checked.includes(row))
		.map((row) => `No test checks the row "${row}": add it to test/sandbox/conformance/`);
}
