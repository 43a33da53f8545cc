/** Settings of the processes of a drill, and a witness that judges their logs. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePolicy, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { readConfig } from '@countersign/server/config/config.ts'
import { readLogKeys } from '@countersign/server/sealing/log-keys.ts'
import { runWitness, witnessFolder } from '../../packages/witness/test/program.ts'
import { logHost } from './ledger.ts'

export interface Drill {
  /** A folder for files of the drill. */
  readonly folder: string
  /** The folder of the fence store. */
  readonly fence: string
  /** Believes the log of the drill, without witnesses. */
  readonly trust: TrustPolicy
  settings(url: string, fence?: string): Readonly<Record<string, string>>
  /** Logs of which the witness has two roots for one size. */
  contradictions(): Promise<readonly string[]>
  close(): Promise<void>
}

const unlimited = '1000000/60'

export async function openDrill(): Promise<Drill> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-drill-'))
  const [policy, store] = [join(folder, 'policy.txt'), join(folder, 'fence')]
  const common = {
    LOG_LEVEL: 'silent',
    TLOG_HOST: logHost,
    PUBLIC_URL: `http://${logHost}`,
    SECRET_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    RATE_LIMIT_PROOF: unlimited,
    RATE_LIMIT_PUBLIC: unlimited,
    RATE_LIMIT_STANDARD: unlimited,
  }
  const config = readConfig({ ...common, DATABASE_URL: 'postgres://localhost/unused' })
  const keys = readLogKeys(config.log.keys(), logHost)
  const witnessed = witnessFolder([keys.all[0]?.vkey as string])
  const witness = await runWitness(witnessed.path)
  writeFileSync(policy, `witness w1 ${witnessed.vkey} ${witness.url}\nquorum w1\n`)
  return {
    folder,
    fence: store,
    trust: parsePolicy(`log ${keys.all[0]?.vkey}\nquorum none\n`),
    settings: (url, fence = store) => ({ ...common, TLOG_FENCE: fence, TLOG_POLICY_FILE: policy, DATABASE_URL: url }),
    async contradictions() {
      const page = await (await fetch(`${witness.url}/contradictions`)).text()
      return Array.from(page.matchAll(/^(\S+) signed two root hashes for size (\d+)/gm), ([line]) => line)
    },
    async close() {
      await witness.kill('SIGTERM')
      witnessed.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
