import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { files, llmsAll, llmsList } from './llms';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const regenerateWith = 'npm run generate -- llms';

test('llms.txt is up to date', () => {
	expect({ regenerateWith, text: read(files.list) }).toEqual({ regenerateWith, text: llmsList() });
});

test('the file with all pages is up to date', () => {
	expect({ regenerateWith, text: read(files.all) }).toEqual({ regenerateWith, text: llmsAll() });
});
