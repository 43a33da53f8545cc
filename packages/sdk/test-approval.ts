/** Approves as a test person, in a sandbox and nowhere else. */
import { apiKeyFromEnvironment, urlFromEnvironment } from './environment.ts'
import { type ClientOptions, transport } from './transport.ts'

export interface TestApproval {
  readonly eventId: string
  readonly result: 'approved' | 'rejected'
  /** As which kind of member the test person approves: signed in, or with a passkey too, which the service has made for them. */
  readonly level: 'session' | 'passkey'
  readonly reason?: string
  /** One of the sandbox's test people; by default, the first who can fill a place now. */
  readonly personId?: string
}

const row = { method: 'POST', path: '/api/v1/sandbox/approvals', reply: 'data', input: 'body' } as const

/** `apiKey` is a sandbox's key (`csk_test_…`) with the scope `proof:approve`: not the one that your agent uses. */
export async function testApproval(
  approval: TestApproval,
  options: ClientOptions & { readonly apiKey?: string } = {},
): Promise<void> {
  const [apiKey, baseUrl] = [options.apiKey || apiKeyFromEnvironment(), options.baseUrl || urlFromEnvironment()]
  if (!apiKey.startsWith('csk_test_')) throw new TypeError("apiKey isn't a sandbox's API key (csk_test_…).")
  const url = new URL(row.path.slice(1), `${baseUrl.replace(/\/+$/, '')}/`).href
  const headers = { 'content-type': 'application/json' }
  await transport(options)({ row, url, headers, body: JSON.stringify(approval) }, apiKey)
}
