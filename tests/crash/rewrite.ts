/**
 * An operator with full database access rewrites history: recomputes every hash, truncates the chain, restores an old
 * copy. The server with a fence, an auditor with an earlier audit and, where the attacker also has the signing key, the
 * witness must each detect it. Of two histories under one key the witness signs only one.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@countersign/server/config/config.ts'
import { readLogKeys } from '@countersign/server/sealing/log-keys.ts'
import { countersign } from '../../packages/cli/test/program.ts'
import { runWitness, witnessFolder } from '../../packages/witness/test/program.ts'
import { databaseUrl, freePort, withClient } from '../../tools/postgres.ts'
import { fillChain } from '../bench/chains.ts'
import { makePlace, say } from '../bench/place.ts'
import { runWith } from '../journeys/operator-shell.ts'
import { type Client, openClient } from '../support/client.ts'
import { sampleDecision } from '../support/proof-fixture.ts'
import { openWorld } from '../support/world.ts'
import { startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { asSuperuser, coverUp, cutOff, rewriteFrom, type Victim } from './rewritten-log.ts'

const host = 'rewritten.test'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** `attacks`: the names of the attacks to run; all of them by default. */
export async function chaosRewrite(
  { more }: Pick<ChaosOptions, 'more'>,
  attacks: readonly string[] = ['rewritten', 'shortened', 'set back', 'two views'],
): Promise<ChaosResult> {
  const entries = more.events ?? 500_000
  const place = await makePlace()
  const folder = await mkdtemp(join(tmpdir(), 'countersign-rewrite-'))
  const port = String(await freePort())
  const common = {
    PORT: port,
    ROLE: 'all',
    TLOG_HOST: host,
    LOG_LEVEL: 'silent',
    SECRET_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PROOF: '1000000/60',
    TLOG_POLICY_FILE: join(folder, 'policy.txt'),
  }
  const keys = readLogKeys(readConfig({ ...common, TLOG_POLICY_FILE: '', DATABASE_URL: place.url }).log.keys(), host)
  const witnessed = witnessFolder([keys.all[0]?.vkey as string])
  const witness = await runWitness(witnessed.path)
  await writeFile(common.TLOG_POLICY_FILE, `witness w1 ${witnessed.vkey} ${witness.url}\nquorum w1\n`)
  const [fence, auditMemory] = [join(folder, 'fence'), join(folder, 'audit.json')]
  const faults: string[] = []
  const copies: string[] = []
  const expect = (what: string, holds: boolean, seen: unknown) => {
    if (!holds) faults.push(`${what}: ${JSON.stringify(seen)}`)
  }

  const world = await openWorld(place.url)
  const center = await world.center()
  const admin = await world.person()
  await world.member(admin, center, 'ADMIN')
  const key = await world.key(center)
  await world.close()
  const log = `${host}/c/${center.id}/proof`

  /** Starts a server over one of the databases, with a fence store or without. */
  async function serve<T>(url: string, store: string | null, work: (client: Client) => Promise<T>): Promise<T> {
    const server = await startKillable({
      ...common,
      DATABASE_URL: url,
      ...(store && { TLOG_FENCE: store }),
    })
    try {
      return await work(openClient(server.url))
    } finally {
      await pause(1500)
      await server.stop()
    }
  }
  const decide = (client: Client) =>
    client.call('POST', '/api/v1/agents/decide', { token: key, body: sampleDecision({ reason: randomUUID() }) })
  async function seal(client: Client, count: number): Promise<void> {
    for (let at = 0; at < count; at++) {
      const { status, text } = await decide(client)
      if (status !== 201) throw new Error(`could not seal: ${text}`)
    }
  }
  async function verify(client: Client) {
    const { accessToken: token } = await client.signIn(admin, center.domain)
    const { status, body, text } = await client.call('GET', '/api/dpu/verify-chain', { token })
    if (status !== 200) throw new Error(`could not verify: ${text}`)
    return body.data.domains.proof as {
      valid: boolean
      brokenAt: number | null
      reason: string | null
    }
  }
  const audit = async (memoryFile: string) => {
    const args = [
      'audit',
      '--base-url',
      `http://127.0.0.1:${port}`,
      '--memory',
      memoryFile,
      '--domain',
      'proof',
      '--lang',
      'en',
    ]
    return countersign(args, { env: { COUNTERSIGN_API_KEY: key } })
  }
  const position = (url: string) =>
    withClient(url, async (client) => {
      const { rows } = await client.query<{ size: number; refusal: string | null; newest: number }>(
        `select p.size::integer, p.refusal, h.next_index::integer as newest from cell.chain_heads h
         left join cell.witness_positions p on p.center_id = h.center_id and p.domain = h.domain
         where h.center_id = $1 and h.domain = 'proof'`,
        [center.id],
      )
      return rows[0]
    })
  /** Waits until the witness has cosigned everything, or refused. */
  async function shown(url: string) {
    for (let tries = 0; tries < 300; tries++) {
      const now = await position(url)
      if (now?.size === now?.newest || (now?.refusal && now.refusal !== 'no answer')) return now
      await pause(200)
    }
    return position(url)
  }
  async function copyOf(url: string, name: string): Promise<Victim> {
    const database = `${new URL(url).pathname.slice(1)}_${name}`
    const server = databaseUrl(url, 'postgres')
    for (let tries = 1; ; tries++) {
      try {
        await withClient(server, (client) =>
          client.query(`create database ${database} template ${new URL(url).pathname.slice(1)}`),
        )
        break
      } catch (error) {
        if (tries === 60) throw error
        await pause(500)
      }
    }
    copies.push(database)
    return { url: databaseUrl(url, database), centerId: center.id, log }
  }

  /** The verdicts on a database whose rows are consistent but differ from the signed ones. */
  async function attack(name: string, victim: Victim, lowest: number, furnish: () => Promise<void>): Promise<void> {
    const [ownFence, ownAudit] = [join(folder, `fence-${name}`), join(folder, `audit-${name}.json`)]
    await cp(fence, ownFence, { recursive: true })
    await cp(auditMemory, ownAudit)
    await serve(victim.url, ownFence, async (client) => {
      const verdict = await verify(client)
      say(`${name}: ${verdict.brokenAt}, ${verdict.reason}`)
      expect(`${name}: verify-chain finds it`, !verdict.valid && (verdict.brokenAt as number) <= lowest, verdict)
      const refused = await decide(client)
      expect(`${name}: nothing is sealed onto it`, refused.status === 503, refused.text)
      const hidden = await client.call('GET', '/api/v1/chains/proof/checkpoint', { token: key })
      expect(`${name}: nothing of it is shown`, hidden.status === 503, hidden.text)
    })
    // The attacker is the operator: with the key, without the fence store, and with the broken mark removed.
    await furnish()
    await asSuperuser(victim.url, (client) => client.query('update cell.chain_heads set broken_at = null'))
    await serve(victim.url, null, async (client) => {
      await seal(client, 40)
      const seen = await shown(victim.url)
      say(`${name}: the witness says ${seen?.refusal}`)
      expect(`${name}: the witness refuses`, seen?.refusal !== null && (seen?.size ?? 0) < (seen?.newest ?? 0), seen)
      const { body } = await decide(client)
      const exported = await client.call('GET', `/api/v1/evidence/${body.data.dpu.id.replace('dpu_', 'evd_')}/export`, {
        token: key,
      })
      expect(
        `${name}: what is sealed stays logged`,
        exported.body.verification.anchoring === 'logged',
        exported.body.verification,
      )
      const audited = await audit(ownAudit)
      expect(`${name}: the audit fails, whatever was signed`, audited.code === 1, audited)
    })
  }

  try {
    say(`filling a chain with ${entries} entries`)
    await fillChain(place.url, center.id, { host, keys }, entries)
    const settings = { ...common, DATABASE_URL: place.url, TLOG_FENCE: fence }
    const accepted = await runWith(settings, ['accept-database', 'main', '--new-store'])
    expect('the store adopts a chain that was signed', accepted.code === 0, accepted)
    await serve(place.url, fence, async (client) => {
      await seal(client, 5)
      await shown(place.url)
    })
    const old = await copyOf(place.url, 'old')
    const [left, right] = attacks.includes('two views')
      ? [await copyOf(place.url, 'left'), await copyOf(place.url, 'right')]
      : [old, old]
    await serve(place.url, fence, async (client) => {
      await seal(client, 20)
      const seen = await shown(place.url)
      expect('the witness cosigns an honest log', seen?.size === entries + 25, seen)
      expect('an honest chain holds', (await verify(client)).valid, null)
      const audited = await audit(auditMemory)
      expect('the audit of an honest chain holds', audited.code === 0, audited)
    })

    if (attacks.includes('rewritten')) {
      const rewritten = await copyOf(place.url, 'rewritten')
      // Rewrites almost all entries, after an unchanged beginning.
      const from = 25
      const began = performance.now()
      const changed = await asSuperuser(rewritten.url, async (client) => {
        const count = await rewriteFrom(client, rewritten, from)
        await coverUp(client, rewritten, null)
        return count
      })
      say(`rewrote ${changed} entries in ${((performance.now() - began) / 1000).toFixed(1)} s`)
      await attack('rewritten', rewritten, from, () =>
        asSuperuser(rewritten.url, (client) => coverUp(client, rewritten, keys)),
      )
    }

    if (attacks.includes('shortened')) {
      const shortened = await copyOf(place.url, 'shortened')
      const cut = entries + 15
      await asSuperuser(shortened.url, async (client) => {
        await cutOff(client, shortened, cut)
        await coverUp(client, shortened, null)
      })
      await attack('shortened', shortened, cut, async () => {})
    }

    if (attacks.includes('set back')) await attack('set back', old, entries + 5, async () => {})

    if (attacks.includes('two views')) {
      // Both continue the same past with different decisions; the witness has seen neither.
      const fresh = witnessFolder([keys.all[0]?.vkey as string])
      const second = await runWitness(fresh.path)
      await writeFile(common.TLOG_POLICY_FILE, `witness w1 ${fresh.vkey} ${second.url}\nquorum w1\n`)
      const views = []
      for (const view of [left, right]) {
        await asSuperuser(view.url, (client) =>
          client.query('delete from cell.cosignatures').then(() => client.query('delete from cell.witness_positions')),
        )
        views.push(
          await serve(view.url, null, async (client) => {
            await seal(client, 10)
            return shown(view.url)
          }),
        )
      }
      const cosigned = views.filter((view) => view?.refusal === null && view.size === view.newest)
      expect('of two histories one is cosigned', cosigned.length === 1, views)
      await second.kill('SIGTERM')
      fresh.remove()
    }
  } finally {
    await witness.kill('SIGTERM')
    witnessed.remove()
    await rm(folder, { recursive: true, force: true })
    await withClient(databaseUrl(place.url, 'postgres'), async (client) => {
      for (const copy of copies) await client.query(`drop database ${copy} with (force)`)
    })
    await place.close()
  }
  for (const fault of faults) say(`FAULT ${fault}`)
  return { rounds: 1, entries, violations: faults.length }
}
