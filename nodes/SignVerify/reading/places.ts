import { isObject } from '../transport/envelope';
import type { IDataObject } from 'n8n-workflow';

/** Members below `responseData` under which an answer may hold the thing itself. */
const deepest = 3;

/**
 * The objects in which an undocumented answer may describe what it is about: the answer itself, the
 * only element of a list, and what stands in members with certain names. Innermost first, since an
 * outer object may describe the answer.
 * @param isWrapper Whether to look into the member of this name (lower case).
 */
export function placesIn(
	answer: unknown,
	isWrapper: (name: string) => boolean,
	depth = 0,
): IDataObject[] {
	// Of several elements nobody can tell which is meant.
	const list: unknown[] = Array.isArray(answer) ? answer : [answer];
	const [place] = list;
	if (list.length !== 1 || !isObject(place) || depth > deepest) return [];
	const inner = Object.entries(place).filter(([name]) => isWrapper(name.toLowerCase()));
	return [...inner.flatMap(([, value]) => placesIn(value, isWrapper, depth + 1)), place];
}
