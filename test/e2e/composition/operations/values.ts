import type { IDataObject, INodeParameterResourceLocator } from 'n8n-workflow';

import type { Item } from './types';

/** A resource locator by its ID. */
export function byId(value: string): INodeParameterResourceLocator {
	return { __rl: true, mode: 'id', value };
}

/** So many items, numbered from 1. */
export function numbered(count: number, make: (n: number) => IDataObject): Item[] {
	return Array.from({ length: count }, (_, index) => ({ ...make(index + 1), n: index + 1 }));
}

/** The same, where making an item takes a call to the service. */
export async function numberedWith(
	count: number,
	make: (n: number) => Promise<IDataObject>,
): Promise<Item[]> {
	const items: Item[] = [];
	for (let n = 1; n <= count; n++) items.push({ ...(await make(n)), n });
	return items;
}
