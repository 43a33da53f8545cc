#!/usr/bin/env node
/** `countersign-mcp`: settings and start. README.md explains how a client starts it. */
import { version } from './version.ts'

const help = `countersign-mcp              run the MCP server over standard input and output, started by an MCP client
countersign-mcp --version

  COUNTERSIGN_URL           server address, such as https://proof.example
  COUNTERSIGN_API_KEY       the agent's API key (csk_…) with the decide scope; proof:read is enough for read-only tools
  COUNTERSIGN_TRUST_FILE    trust policy for consume_approval and verify_receipt; without it, the server vouches for itself
  COUNTERSIGN_CENTER        center ID; required with COUNTERSIGN_TRUST_FILE, because a host's keys sign for all of its centers
  COUNTERSIGN_SANDBOX       set to true if that center is a sandbox
  COUNTERSIGN_REQUIRES      session or passkey: consume_approval then accepts only approvals at this identity level or higher
`

/** Ignored, a trust policy that somebody has set would protect nothing. */
const renamed = [
  ['COUNTERSIGN_KEY', 'COUNTERSIGN_API_KEY'],
  ['COUNTERSIGN_POLICY_FILE', 'COUNTERSIGN_TRUST_FILE'],
] as const

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
  const { env } = process
  for (const [old, name] of renamed) {
    if (!env[old]) continue
    say(`${old} is called ${name} now. Rename it in your MCP client's settings.`)
    return 2
  }
  const { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_API_KEY: apiKey, COUNTERSIGN_TRUST_FILE: trustFile } = env
  if (!baseUrl) {
    say("COUNTERSIGN_URL isn't set. Add the server's address to your MCP client's settings.")
    return 2
  }
  if (!apiKey) {
    say("COUNTERSIGN_API_KEY isn't set. Add one of the center's API keys to your MCP client's settings.")
    return 2
  }
  const { COUNTERSIGN_CENTER: center, COUNTERSIGN_SANDBOX: sandbox, COUNTERSIGN_REQUIRES: requires } = env
  if (trustFile && !center) {
    say(
      "COUNTERSIGN_CENTER isn't set. With COUNTERSIGN_TRUST_FILE, you also need the center's ID, because the keys in the trust policy sign for other centers too.",
    )
    return 2
  }
  if (requires && !trustFile) {
    say("COUNTERSIGN_TRUST_FILE isn't set. Without a trust policy, COUNTERSIGN_REQUIRES can't be checked.")
    return 2
  }
  const trust = trustFile
    ? {
        ...{ trustFile, center: Number(center), sandbox: sandbox === 'true' },
        ...(requires && { requires: requires as 'session' | 'passkey' }),
      }
    : undefined
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
