import type { ItemContext } from '../item/item';
import { InputError } from '../errors/inputError';
import { settleSync } from '../util/async';
import { plainText } from '../util/redact';
import { groupBy } from '../util/values';
import type { ContentKey } from './comparedContent';
import { keyProblems } from './sendingProblems';
import type { Check } from './sendItem';
import { keyLabel, type StoredKey } from './sendOnceKey';
import type { Prepared } from './operationTypes';

/** An item of the run that can be sent. */
interface SendableItem {
	index: number;
	key: StoredKey | undefined;
	prepared: Prepared;
}

/**
 * Compares a run's items with one another, before anything is sent. If items have the same Send Once Key but
 * would send different things, only one of them could be sent, and the node can't know which of them has the wrong
 * key. So all of them get an error. An item without a key that repeats an earlier item gets a warning. What an
 * earlier execution sent is never compared.
 * @param checks The result of each item's check.
 * @returns The results, with an error for each of the items that have a key in common by mistake.
 */
export function checkRepeats(
	checks: Check[],
	contextOf: (itemIndex: number) => ItemContext,
): Check[] {
	const candidates = checks.flatMap((check, index): SendableItem[] =>
		check?.ok && check.value.state === 'new'
			? [{ index, key: check.value.key, prepared: check.value.prepared }]
			: [],
	);
	const byKey = groupBy(candidates, ({ key }) => key?.comparedText);
	const byContent = groupBy(candidates, ({ key, prepared }) =>
		key === undefined ? JSON.stringify(prepared.content) : undefined,
	);
	const errors = new Map<number, unknown>();
	for (const [first, ...others] of byContent.values()) {
		for (const { index } of others) {
			const warning = settleSync(() => warnOfRepeat(contextOf(index), first?.index ?? 0));
			if (!warning.ok) errors.set(index, warning.error);
		}
	}
	for (const group of byKey.values()) {
		const error = differenceWithin(group);
		if (error) for (const { index } of group) errors.set(index, error);
	}
	return checks.map((check, index) => {
		const error = errors.get(index);
		return error ? { ok: false, error } : check;
	});
}

function warnOfRepeat(item: ItemContext, firstIndex: number): void {
	const [number, first] = [item.itemIndex + 1, firstIndex + 1];
	item.judge(keyLabel, {
		severity: 'looksWrong',
		...keyProblems.repeated({ item: number, first, option: keyLabel }),
	});
}

/** The maximum number of differences in the message, and the maximum length of a value in it. */
const maxDifferences = 5;
const maxValueLength = 100;

/** @returns undefined if all have the same content. */
function differenceWithin([first, ...others]: SendableItem[]): InputError | undefined {
	if (!first) return undefined;
	const differing = others
		.map(({ prepared }) => differences(first.prepared, prepared))
		.find(({ length }) => length > 0);
	if (!differing) return undefined;
	const shown = differing.slice(0, maxDifferences).map(({ name, left, right }) => {
		const values = shownDifference(left, right);
		return `${name} (${values.join(' and ')})`;
	});
	if (differing.length > shown.length) shown.push(`${differing.length - shown.length} more`);
	return new InputError(
		keyLabel,
		keyProblems.otherContent(first.key?.text ?? '', others.length + 1, shown),
	);
}

/** Returns the two texts for a message. Texts that are too long for it begin shortly before their first difference. */
function shownDifference(left: string, right: string): string[] {
	const show = (text: string) => plainText(text, maxValueLength) || 'empty';
	const wholes = [left, right].map(show);
	if (wholes[0] !== wholes[1]) return wholes;
	let start = 0;
	while (start < left.length && left[start] === right[start]) start++;
	start = Math.max(0, start - 20);
	return [left, right].map((text) => `…${show(text.slice(start))}`);
}

interface Difference {
	/** The value's name in the form, or its own key if the form has none. */
	name: string;
	left: string;
	right: string;
}

function differences(one: Prepared, other: Prepared): Difference[] {
	const [content, otherContent] = [one.content, other.content];
	const within = (space: ContentKey['space']) => {
		const left = new Map(Object.entries(content[space]));
		const right = new Map(Object.entries(otherContent[space]));
		return [...new Set([...left.keys(), ...right.keys()])]
			.filter((key) => left.get(key) !== right.get(key))
			.map((key) => ({
				key,
				name: one.nameInForm({ space, key }) ?? key,
				left: left.get(key) ?? '',
				right: right.get(key) ?? '',
			}));
	};
	const others = within('others');
	// Different templates have different fields, so only the people are still worth comparing.
	return others.some(({ key }) => key === 'templateID')
		? others.filter(({ key }) => ['templateID', 'signatories'].includes(key))
		: [...others, ...within('fields')];
}
