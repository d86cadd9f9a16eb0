/**
 * Works on a list, so many at once.
 * @returns What came of each, in the order of the list.
 */
export async function inParallel<Input, Output>(
	list: Input[],
	atOnce: number,
	work: (each: Input) => Promise<Output>,
): Promise<Output[]> {
	const results: Output[] = [];
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next < list.length) {
			const index = next++;
			results[index] = await work(list[index] as Input);
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
	return results;
}
