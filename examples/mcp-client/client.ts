/** An agent that asks through the MCP server of Countersign, acts on the approval once, and reports. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { COUNTERSIGN_URL = 'http://localhost:3000', COUNTERSIGN_API_KEY = '' } = process.env
const client = new Client({ name: 'refunds', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', COUNTERSIGN_URL), {
    requestInit: { headers: { authorization: `Bearer ${COUNTERSIGN_API_KEY}` } },
  }),
)

/** What a tool answers; the README of the MCP server lists the members. */
type Answer = Readonly<Record<'status' | 'eventId' | 'approvalUrl' | 'executor', string>>

async function call(name: string, args: Record<string, unknown>): Promise<Answer> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
  if (isError) throw new Error(JSON.stringify(content))
  return structuredContent as Answer
}

const action = { type: 'money.refund', input: { order: '1043', won: 820_000 } }
const description = 'Refund 820,000 won for order 1043'
let state = await call('request_approval', { agent: { id: 'refund-agent' }, action: { ...action, description } })
if (state.status === 'pending') console.log(`A person decides at ${state.approvalUrl}`)
while (state.status === 'pending') state = await call('wait_for_approval', { eventId: state.eventId })
if (state.status === 'allowed') {
  const { executor } = await call('consume_approval', { eventId: state.eventId, action })
  console.log('Refunds 820,000 won') // In your program: the refund itself.
  await call('report_outcome', { eventId: state.eventId, executor, status: 'succeeded' })
}
console.log(`${state.status}: ${state.eventId}`)
await client.close()
