/** A center that asks a person about the command `ledger`, a folder in which an agent works, and what has run there. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Countersign } from '@countersign/sdk'
import { type Connection, writeConnection } from '../../../packages/cli/hook/connection.ts'
import { connectionFile, hookFolder } from '../../../packages/cli/hook/places.ts'
import { openProofFixture, type ProofFixture } from '../../support/proof-fixture.ts'
import type { TestServer } from '../../support/server.ts'

export interface AgentPlace {
  readonly fixture: ProofFixture
  readonly client: Countersign
  readonly folder: string
  readonly home: string
  readonly path: string
  /** The program `ledger`: agents that start a login shell don't keep PATH. */
  readonly ledger: string
  readonly trustFile: string
  /** What `ledger` was called with. */
  ran(): readonly string[]
  connect(changes?: Partial<Connection>): void
  /** Decisions of this agent, newest first. */
  decisions(): Promise<readonly { readonly id: string; readonly status: string }[]>
  /** Waits until that many decisions wait for a person, and returns the newest one. */
  waiting(count?: number): Promise<string>
  close(): void
}

const withinMs = 120_000

export async function openAgentPlace(server: TestServer, agent: string): Promise<AgentPlace> {
  const fixture = await openProofFixture(server)
  const match = { actionTypes: [`${agent}.*`] }
  await fixture.policy({ humanReview: true }, { match, approval: { identity: 'session' } })
  const actor = { id: `${agent}-of-kim`, type: 'ai_agent' }
  const key = await server.world.key(fixture.center, { scopes: ['decide'], boundTo: actor })
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-agent-')))
  const [home, folder, programs] = ['home', 'work', 'programs'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [home, folder, programs]) mkdirSync(each)
  const { body } = await server.call('GET', '/.well-known/countersign-log.json')
  const trustFile = join(root, 'countersign.trust')
  writeFileSync(trustFile, body.policy)
  const written = join(root, 'ledger.txt')
  writeFileSync(join(programs, 'ledger'), `#!/bin/sh\necho "$*" >> ${written}\n`)
  chmodSync(join(programs, 'ledger'), 0o755)
  const env = { HOME: home }
  mkdirSync(hookFolder(env), { recursive: true })
  writeFileSync(
    join(hookFolder(env), 'rules.json'),
    JSON.stringify({ rules: [{ name: 'ledger', commands: ['ledger'] }] }),
  )
  const client = new Countersign({ baseUrl: server.url, apiKey: fixture.key })
  const decisions = async () => (await client.decisions.list({ limit: 50 })).data
  const place: AgentPlace = {
    ...{ fixture, client, folder, home, trustFile, decisions },
    ledger: join(programs, 'ledger'),
    path: [programs, dirname(process.execPath), process.env.PATH].join(':'),
    ran: () => (existsSync(written) ? readFileSync(written, 'utf8').trim().split('\n') : []),
    connect(changes = {}) {
      const { id } = actor
      const usual = {
        url: server.url,
        key,
        actor: { id, name: 'An agent' },
        center: fixture.center.id,
        trust: body.policy,
      }
      writeConnection(agent, { ...usual, ...changes }, connectionFile(agent, env))
    },
    async waiting(count = 1) {
      for (const end = Date.now() + withinMs; Date.now() < end; ) {
        const { data } = await client.decisions.list({ limit: 50, waiting: true })
        if (data.length >= count) return (data[0] as { id: string }).id
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`${count} decisions didn't come to wait within ${withinMs} ms`)
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
  place.connect()
  return place
}
