#!/usr/bin/env node
/** `countersign-mcp`: settings and start. README.md explains how a client starts it. */
import { version } from './version.ts'

const help = `countersign-mcp              run the MCP server over standard input and output, started by an MCP client
countersign-mcp --version

  COUNTERSIGN_URL           server address, such as https://proof.example
  COUNTERSIGN_KEY           the agent's API key (csk_…) with the decide scope; proof:read is enough for read-only tools
  COUNTERSIGN_POLICY_FILE   trust policy for consume_approval and verify_receipt; without it, the server vouches for itself
  COUNTERSIGN_CENTER        center ID; required with COUNTERSIGN_POLICY_FILE, because a host's keys sign for all of its centers
  COUNTERSIGN_SANDBOX       set to true if that center is a sandbox
`

/** Standard output belongs to the protocol, so messages go to standard error. */
const say = (line: string): void => void process.stderr.write(`countersign-mcp: ${line}\n`)

async function run([argument]: readonly string[]): Promise<number | undefined> {
  if (argument === '--version') {
    process.stdout.write(`countersign-mcp ${version}\n`)
    return 0
  }
  if (argument !== undefined) {
    process.stdout.write(help)
    return argument === '--help' || argument === '-h' ? 0 : 2
  }
  const { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_KEY: apiKey, COUNTERSIGN_POLICY_FILE: policyFile } = process.env
  if (!baseUrl) {
    say("COUNTERSIGN_URL isn't set. Add the server's address to your MCP client's settings.")
    return 2
  }
  if (!apiKey) {
    say("COUNTERSIGN_KEY isn't set. Add one of the center's API keys to your MCP client's settings.")
    return 2
  }
  const { COUNTERSIGN_CENTER: center, COUNTERSIGN_SANDBOX: sandbox } = process.env
  if (policyFile && !center) {
    say(
      "COUNTERSIGN_CENTER isn't set. With COUNTERSIGN_POLICY_FILE, you also need the center's ID, because the keys in the trust policy sign for other centers too.",
    )
    return 2
  }
  const trust = policyFile ? { policyFile, center: Number(center), sandbox: sandbox === 'true' } : undefined
  const { serve } = await import('./stdio.ts')
  serve({ baseUrl, apiKey, trust, say })
  return undefined
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  say((error as Error).message)
  process.exitCode = 2
}
