import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { plantedFaults } from '../simulation/planted';

const patches = plantedFaults.flatMap(({ name, patches: all }) =>
	all.map(({ file, from }) => ({ name, file, from })),
);

test.each(patches)('$name changes one place in $file', ({ file, from }) => {
	const place = path.join(root, 'nodes/SignVerify', file);
	expect(existsSync(place)).toBe(true);
	expect(readFileSync(place, 'utf8').split(from)).toHaveLength(2);
});
