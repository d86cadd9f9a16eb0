import { spawn } from 'node:child_process';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox';
import { fileErrorText } from '../../sandbox/util/fileErrors';
import { start, useDataFolder } from './serviceKit';

const data = useDataFolder();
const lock = () => join(data.dataFolder, 'in-use.json');

test('a second sandbox on the same folder is refused, and told where the first one is', async () => {
	const first = await start(data);
	await expect(startSandbox(data)).rejects.toThrow(
		new RegExp(`is in use by process ${process.pid}, which runs since .* at ${first.url}`),
	);
	await first.close();
	expect(existsSync(lock())).toBe(false);
	const second = await start(data);
	// Closing the first one again takes nothing away from the second.
	await first.close();
	expect(JSON.parse(readFileSync(lock(), 'utf8'))).toMatchObject({ url: second.url });
});

test('a start that fails leaves the folder free', async () => {
	const other = await start();
	const port = Number(new URL(other.url).port);
	await expect(startSandbox({ ...data, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	await start(data);
});

test('what a process left behind that is gone counts for nothing', async () => {
	const gone = spawn(process.execPath, ['-e', '']);
	await new Promise((resolve) => gone.once('exit', resolve));
	writeFileSync(lock(), JSON.stringify({ pid: gone.pid, host: hostname(), since: 0 }));
	await (await start(data)).close();

	// Its number can belong to another program by now: this one never touched the file.
	writeFileSync(lock(), JSON.stringify({ pid: process.pid, host: hostname(), since: 0 }));
	utimesSync(lock(), new Date(0), new Date(0));
	await (await start(data)).close();

	writeFileSync(lock(), 'half a');
	await start(data);
});

test.each([
	[{ code: 'ENOSPC', path: '/data/x' }, '/data/x: The disk is full. Free some space, then'],
	[{ code: 'EACCES', path: '/data' }, '/data: You have no permission for this file or folder.'],
	[{ code: 'EROFS' }, 'The disk can only be read.'],
])('%j is a sentence', (error, sentence) => {
	expect(fileErrorText(error)).toContain(sentence);
});

test('a port that may not be used is no matter of files', () => {
	expect(fileErrorText({ code: 'EACCES', syscall: 'listen' })).toBeUndefined();
	expect(fileErrorText(new Error('other'))).toBeUndefined();
});
