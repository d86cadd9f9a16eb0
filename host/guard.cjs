'use strict';
// Loaded into n8n before n8n itself (node --require). Ends n8n when the process that started
// it is gone, however it went: the pipe on descriptor 3 closes even when that one was killed.

const { Socket } = require('node:net');

/** Time for n8n to end in order before it is ended without. */
const GRACE_MS = 10_000;

const pipe = new Socket({ fd: 3, readable: true, writable: false });
const end = () => {
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => {
		// The whole group where there is one: n8n's task runners are processes of their own.
		process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL');
	}, GRACE_MS).unref();
};
pipe.once('error', end);
pipe.once('end', end);
pipe.resume();
pipe.unref();
