#!/usr/bin/env node
/** `countersign-mcp`: settings and start. README.md explains how a client starts it. */
import { version } from './version.ts'

const help = `countersign-mcp              speaks MCP over standard input and output, for a client that starts it
countersign-mcp --version

  COUNTERSIGN_URL           address of the server, such as https://proof.example
  COUNTERSIGN_KEY           API key (csk_…); proof:read to look, proof:write to record, ask and act
  COUNTERSIGN_POLICY_FILE   trust policy for verify_receipt; without one the server vouches for itself
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
  const { serve } = await import('./stdio.ts')
  serve({ baseUrl, apiKey, policyFile, say })
  return undefined
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  say((error as Error).message)
  process.exitCode = 2
}
