// n8n looks at the code as it is published, too: its rules over `dist` (test/repository/package.test.ts).
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';

export default [
	{ ...n8nCommunityNodesPlugin.configs.recommended, files: ['**/*.js'] },
	{ linterOptions: { noInlineConfig: true } },
];
