#!/usr/bin/env node
/** `countersign-mcp`: settings and start. README.md explains how a client starts it. */
import { version } from './version.ts'

const help = `countersign-mcp              speaks MCP over standard input and output, for a client that starts it
countersign-mcp --version

  COUNTERSIGN_URL           address of the server, such as https://proof.example
  COUNTERSIGN_KEY           API key (csk_…) with the scope decide, for the agent; proof:read is enough to look
  COUNTERSIGN_POLICY_FILE   trust policy of consume_approval and verify_receipt; without one the server vouches for itself
  COUNTERSIGN_CENTER        id of the center; required with COUNTERSIGN_POLICY_FILE, whose keys sign for every center of a host
  COUNTERSIGN_SANDBOX       true if that center is a sandbox
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
    say('COUNTERSIGN_URL is not set. Give the address of the server in the settings of the client.')
    return 2
  }
  if (!apiKey) {
    say('COUNTERSIGN_KEY is not set. Give an API key of the center in the settings of the client.')
    return 2
  }
  const { COUNTERSIGN_CENTER: center, COUNTERSIGN_SANDBOX: sandbox } = process.env
  if (policyFile && !center) {
    say(
      'COUNTERSIGN_CENTER is not set. Give the id of the center beside COUNTERSIGN_POLICY_FILE: its keys sign for others too.',
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
