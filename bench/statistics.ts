/**
 * The value that as many lie below as above.
 * @throws Error for an empty list
 */
export function median(values: number[]): number {
	return quantile(values, 0.5);
}

/**
 * The value below which a share of the others lies, between neighbours in proportion.
 * @param share 0 to 1
 * @throws Error for an empty list
 */
export function quantile(values: number[], share: number): number {
	const sorted = [...values].sort((left, right) => left - right);
	const place = (sorted.length - 1) * share;
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	if (below === undefined || above === undefined) throw new Error('There is nothing to count.');
	return below + (above - below) * (place - Math.floor(place));
}
