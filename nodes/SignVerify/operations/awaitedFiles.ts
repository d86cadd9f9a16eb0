import type { DocumentFile } from '../api/notification';
import { allFiles, readDownloadFiles } from '../files/fileChoice';
import type { ItemContext } from '../item/item';
import { settleSync } from '../util/async';

/**
 * Reads the files that the item will have once a wait is over. They're read only once for each item, because
 * an expression could return different files the second time.
 * @throws InputError if the choice is invalid ({@link readDownloadFiles}).
 */
export function readDownloads(item: ItemContext): DocumentFile[] {
	return item.remember(`downloads of item ${item.itemIndex}`, () => readDownloadFiles(item));
}

/**
 * Returns the names that the downloads have in the item. An invalid choice reserves all the names, because
 * the node doesn't check the fields of an item that it skips.
 * @returns An empty list if the form has no "Download Files".
 */
export function downloadNames(item: ItemContext): DocumentFile[] {
	const choice = settleSync(() => readDownloads(item));
	return choice.ok ? choice.value : allFiles;
}
