import { createHash, randomBytes } from 'node:crypto';

import type { Owner } from '../../../host/apiTypes';
import { logIn, startBrowser } from '../../../host/browser';
import type { N8n } from '../../../host/n8n';
import { axios } from '../../support/http';
import { loggedIn } from './trigger';

/** The response of n8n's MCP server to a tool call. */
interface ToolResponse {
	error?: unknown;
	result?: { isError?: boolean; content: Array<{ text: string }>; structuredContent?: unknown };
}

/** The response to a message, whether n8n sends it as an event or as plain JSON. */
function parsed<Data>(text: string): Data {
	return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Data;
}

/**
 * Turns on n8n's MCP server, as a user does in Settings → Instance-level MCP, and connects to it.
 * @returns A function that calls a tool. It returns the result or throws an error with the tool's message.
 */
export async function connectMcpClient({ url }: Pick<N8n, 'url'>, owner: Owner) {
	const settings = await loggedIn(url, owner);
	await settings.call('PATCH', '/mcp/settings', { body: { mcpAccessEnabled: true } });
	const { apiKey } = await settings.call<{ apiKey: string }>('GET', '/mcp/api-key');
	return async <Data>(tool: string, input: object): Promise<Data> => {
		const { data } = await axios.post<string>(
			`${url}/mcp-server/http`,
			{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: input } },
			{
				headers: {
					authorization: `Bearer ${apiKey}`,
					accept: 'application/json, text/event-stream',
				},
				responseType: 'text',
			},
		);
		const { error, result } = parsed<ToolResponse>(data);
		if (error || !result || result.isError)
			throw new Error(`${tool}: ${JSON.stringify(error ?? result)}`);
		return (result.structuredContent ?? JSON.parse(result.content[0]?.text ?? 'null')) as Data;
	};
}

/** A tool as an MCP server lists it. */
export interface Tool {
	name: string;
	description: string;
	inputSchema: { properties: Record<string, { description?: string }>; required?: string[] };
}

/** What a tool answered: the text for the model, and whether it's an error. */
export interface ToolAnswer {
	text: string;
	isError: boolean;
}

/** A client of a workflow that starts with n8n's MCP Server Trigger. */
export interface WorkflowClient {
	/** The server's instructions to the model about all tools. */
	instructions: string;
	tools(): Promise<Tool[]>;
	call(tool: string, input: unknown): Promise<ToolAnswer>;
}

/**
 * Connects to a workflow's MCP Server Trigger as an AI app does that knows nothing but the URL: it asks where to
 * log in, registers, and has the user log in and agree in a browser.
 * @param url The trigger's Production URL.
 * @param user The user, who isn't logged in to n8n in this browser yet.
 */
export async function connectToWorkflow(url: string, user: Owner): Promise<WorkflowClient> {
	const token = await askForAccess(url, user);
	let session: string | undefined;
	const send = async (message: object): Promise<string> => {
		const { data, headers } = await axios.post<string>(
			url,
			{ jsonrpc: '2.0', ...message },
			{
				headers: {
					authorization: `Bearer ${token}`,
					accept: 'application/json, text/event-stream',
					...(session ? { 'mcp-session-id': session } : {}),
				},
				responseType: 'text',
			},
		);
		session ??= headers['mcp-session-id'] as string | undefined;
		return data;
	};
	let lastId = 0;
	const ask = async <Result>(method: string, params: object): Promise<Result> => {
		const { result, error } = parsed<{ result?: Result; error?: unknown }>(
			await send({ id: ++lastId, method, params }),
		);
		if (!result) throw new Error(`${method}: ${JSON.stringify(error)}`);
		return result;
	};
	const { instructions } = await ask<{ instructions: string }>('initialize', {
		protocolVersion: '2025-06-18',
		capabilities: {},
		clientInfo: { name: 'test', version: '1' },
	});
	await send({ method: 'notifications/initialized' });
	return {
		instructions,
		tools: async () => (await ask<{ tools: Tool[] }>('tools/list', {})).tools,
		call: async (name, input) => {
			const { content, isError = false } = await ask<NonNullable<ToolResponse['result']>>(
				'tools/call',
				{ name, arguments: input },
			);
			return { text: content.map(({ text }) => text).join('\n'), isError };
		},
	};
}

/** Logs in with the addresses that the server itself names. @returns The access token. */
async function askForAccess(url: string, user: Owner): Promise<string> {
	const refused = await axios.post(url, {}, { validateStatus: (status) => status === 401 });
	const [, resource = ''] =
		/resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate'])) ?? [];
	const { data: about } = await axios.get<{ resource: string; authorization_servers: [string] }>(
		resource,
	);
	const { data: server } = await axios.get<Record<string, string>>(
		`${about.authorization_servers[0]}/.well-known/oauth-authorization-server`,
	);
	// Nothing listens there: the browser's attempt to open the address is all that's needed.
	const redirect = 'http://127.0.0.1:65009/callback';
	const { data: client } = await axios.post<{ client_id: string }>(
		server.registration_endpoint ?? '',
		{
			client_name: 'Test app',
			redirect_uris: [redirect],
			grant_types: ['authorization_code'],
			response_types: ['code'],
			token_endpoint_auth_method: 'none',
		},
	);
	const verifier = randomBytes(32).toString('base64url');
	const asked = new URLSearchParams({
		response_type: 'code',
		client_id: client.client_id,
		redirect_uri: redirect,
		code_challenge: createHash('sha256').update(verifier).digest('base64url'),
		code_challenge_method: 'S256',
		state: 'of-this-login',
		resource: about.resource,
	});
	const browser = await startBrowser();
	let answer: URL;
	try {
		const page = await browser.newPage();
		page.setDefaultTimeout(60_000);
		const returned = page.waitForRequest((request) => request.url().startsWith(redirect));
		await page.goto(`${server.authorization_endpoint}?${asked.toString()}`);
		await logIn(page, user);
		await page.getByText('I recognize and trust this URL').click();
		await page.getByRole('button', { name: 'Allow' }).click();
		answer = new URL((await returned).url());
	} finally {
		await browser.close();
	}
	const { data: granted } = await axios.post<{ access_token: string }>(
		server.token_endpoint ?? '',
		new URLSearchParams({
			grant_type: 'authorization_code',
			code: answer.searchParams.get('code') ?? '',
			redirect_uri: redirect,
			client_id: client.client_id,
			code_verifier: verifier,
			resource: about.resource,
		}),
	);
	return granted.access_token;
}
