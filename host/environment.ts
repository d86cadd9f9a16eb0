import path from 'node:path';

import { LOOPBACK } from './ports';

/** What of an n8n's environment differs from one to the next. */
export interface EnvironmentOptions {
	/** The Node executable that n8n runs under. */
	node: string;
	userFolder: string;
	port: number;
	brokerPort: number;
	/** The address that the outside reaches n8n's webhooks at. */
	webhookUrl: string;
	/** Over everything else. */
	env?: Record<string, string>;
}

/** Settings of another n8n on this machine, and what npm adds: neither may leak into ours. */
const FOREIGN =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_URL$|VUE_APP_|npm_|INIT_CWD$|NODE_OPTIONS$|NODE_PATH$|NODE_ENV$)/i;

/**
 * The environment of an n8n that stays on this machine and keeps quiet: no telemetry, no
 * version check, no templates, no verified-node list, nothing listening but on loopback.
 */
export function n8nEnvironment(options: EnvironmentOptions): Record<string, string> {
	const env: Record<string, string> = {};
	for (const [name, value] of Object.entries(process.env)) {
		if (value !== undefined && !FOREIGN.test(name)) env[name] = value;
	}
	const direct = [LOOPBACK, 'localhost', env.NO_PROXY ?? env.no_proxy].filter(Boolean).join(',');
	return {
		...env,
		// n8n starts its task runner as `node`: it has to find this one.
		PATH: `${path.dirname(options.node)}${path.delimiter}${env.PATH ?? ''}`,
		// A proxy is for the outside world; the service and the mailbox are on this machine.
		NO_PROXY: direct,
		no_proxy: direct,
		// n8n would say times as in New York. The sandbox and its documents say them in UTC.
		GENERIC_TIMEZONE: env.GENERIC_TIMEZONE || 'UTC',
		N8N_USER_FOLDER: options.userFolder,
		N8N_PORT: String(options.port),
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_HOST: LOOPBACK,
		N8N_PROTOCOL: 'http',
		N8N_EDITOR_BASE_URL: `http://${LOOPBACK}:${options.port}/`,
		N8N_WEBHOOK_URL: options.webhookUrl,
		N8N_RUNNERS_BROKER_PORT: String(options.brokerPort),
		// The editor is on plain HTTP.
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		// SQLite is in the same process. On a busy machine n8n would take it for lost after 5 seconds
		// and answer 503 to everybody.
		...(options.env?.DB_TYPE ? {} : { DB_PING_TIMEOUT_MS: '60000' }),
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
		...options.env,
	};
}
