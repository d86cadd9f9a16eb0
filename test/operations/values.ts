import type { IDataObject } from 'n8n-workflow';

import type { Item } from './types';

/** An ID that nothing at the service has. */
export const unknownId = '65f1c0de00000000000000ff';

/** The call that each operation with a token begins with. */
export const token = 'POST /access/token';

/** So many items, numbered from 1. */
export function numbered(count: number, make: (n: number) => IDataObject): Item[] {
	return Array.from({ length: count }, (_, index) => ({ ...make(index + 1), n: index + 1 }));
}

/** The same, if making an item takes a call to the service. */
export async function numberedWith(
	count: number,
	make: (n: number) => Promise<IDataObject>,
): Promise<Item[]> {
	const items: Item[] = [];
	for (let n = 1; n <= count; n++) items.push({ ...(await make(n)), n });
	return items;
}
