import type { Owner } from '../../../host/apiTypes';
import type { N8n } from '../../../host/n8n';
import { axios } from '../../support/http';
import { loggedIn } from './trigger';

/** The response of n8n's MCP server to a tool call. */
interface ToolResponse {
	error?: unknown;
	result?: { isError?: boolean; content: Array<{ text: string }>; structuredContent?: unknown };
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
		const text = /^data: (.*)$/m.exec(data)?.[1] ?? data;
		const { error, result } = JSON.parse(text) as ToolResponse;
		if (error || !result || result.isError)
			throw new Error(`${tool}: ${JSON.stringify(error ?? result)}`);
		return (result.structuredContent ?? JSON.parse(result.content[0]?.text ?? 'null')) as Data;
	};
}
