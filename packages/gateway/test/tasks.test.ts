/** Why held calls aren't tasks of the protocol: the official client doesn't accept one. If this fails, decision 0087 is due again. */
import { Client, SdkErrorCode, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type CallToolResult, createMcpHandler, Server } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'

const extension = 'io.modelcontextprotocol/tasks'
const task = { resultType: 'task', taskId: 'one', status: 'working', createdAt: '2026-11-18T00:00:00Z', ttlMs: 60_000 }

function makeServer(): Server {
  const capabilities = { tools: {}, extensions: { [extension]: {} } }
  const server = new Server({ name: 'tasks', version: '1.0.0' }, { capabilities })
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'slow', inputSchema: { type: 'object' } }] }))
  server.setRequestHandler('tools/call', () => task as unknown as CallToolResult)
  return server
}

it('a client that declares tasks refuses one', async () => {
  const handler = createMcpHandler(makeServer)
  const client = new Client(
    { name: 'tasks', version: '1.0.0' },
    { capabilities: { extensions: { [extension]: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const transport = new StreamableHTTPClientTransport(new URL('http://tasks.example/mcp'), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  })
  await client.connect(transport)
  expect((await client.listTools()).tools).toHaveLength(1)
  await expect(client.callTool({ name: 'slow', arguments: {} })).rejects.toMatchObject({
    code: SdkErrorCode.UnsupportedResultType,
  })
  await client.close()
})
