import type { McpClient, ToolResult } from '../../../../../../tests/support/mcp.ts'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import type { TestServer } from '../../../../../../tests/support/server.ts'

export const refund = (won = 82_000) => ({
  agent: { id: 'refund-agent' },
  action: { type: 'refund.issue', description: 'Refund order 1041', input: { order: '1041', won } },
})

/** A center in which refunds need a signed-in person. */
export async function openCenter(server: TestServer): Promise<ProofFixture> {
  const fixture = await openProofFixture(server)
  await fixture.policy(
    { humanReview: true },
    { match: { actionTypes: ['refund.*'] }, approval: { identity: 'session' } },
  )
  return fixture
}

/** On a slow machine a server is unavailable for a moment; an agent is told to repeat the call. */
export async function call(client: McpClient, name: string, args: object = {}): Promise<ToolResult> {
  for (let tried = 1; ; tried++) {
    const result = await client.callTool({ name, arguments: args })
    if (!result.content[0]?.text.startsWith('SERVICE_UNAVAILABLE') || tried === 40) return result
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** The result of a tool that succeeds. */
export async function done(client: McpClient, name: string, args: object = {}) {
  const result = await call(client, name, args)
  if (result.isError) throw new Error(`${name} failed: ${result.content[0]?.text}`)
  return result.structuredContent
}

export const failure = async (client: McpClient, name: string, args: object = {}): Promise<string> => {
  const { isError, content } = await call(client, name, args)
  if (!isError) throw new Error(`${name} did not fail`)
  return content[0]?.text ?? ''
}
