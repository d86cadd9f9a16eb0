'use strict';
// This file is loaded before n8n (node --require) and stops n8n when the process that started n8n is gone. To
// detect this, it watches the pipe on file descriptor 3, which closes even if that process is killed.

const { Socket } = require('node:net');

/** How long n8n may take to stop on its own before it is killed. */
const graceMs = 10_000;

const pipe = new Socket({ fd: 3, readable: true, writable: false });
const end = () => {
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => {
		// Kill the entire process group, because n8n's task runners are separate processes.
		process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL');
	}, graceMs).unref();
};
pipe.once('error', end);
pipe.once('end', end);
pipe.resume();
pipe.unref();
