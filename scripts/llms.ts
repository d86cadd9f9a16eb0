import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { files, llmsAll, llmsList } from '../test/docs/llms';
import { root } from './tools';

writeFileSync(path.join(root, files.list), llmsList());
writeFileSync(path.join(root, files.all), llmsAll());
console.log(`${files.list} and ${files.all} are written.`);
