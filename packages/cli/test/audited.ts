/** A little service with two growing logs, audited by the program. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type LittleService, littleService } from './little-service.ts'
import { countersign } from './program.ts'
import { growing } from './rules-chain.ts'

interface Found {
  readonly about: string
  readonly code: string
  readonly message: string
  readonly [fact: string]: unknown
}

interface Report {
  readonly domain: string
  readonly checks: readonly Found[]
}

/** Both logs are new in each test. */
export function audited() {
  const own = { proof: growing('proof'), history: growing('history'), service: {} as LittleService }
  let folder: string
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'))
    own.service = await littleService({})
    own.proof = growing('proof')
    own.history = growing('history')
  })
  afterEach(async () => {
    await own.service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function audit(...more: string[]) {
    const { service, proof, history } = own
    Object.assign(service.chains, { proof: proof.lines, history: history.lines })
    const args = ['audit', '--base-url', service.url, '--memory', join(folder, 'audit.json'), ...more]
    const { code, out, err } = await countersign(args, { env: { COUNTERSIGN_API_KEY: 'test-key' } })
    if (code === 2) throw new Error(err)
    return { code, out }
  }
  return {
    own,
    audit,
    /** What the audit says of this, without the sentences; of one log or of both. */
    async found(about: string, domain?: string) {
      const { code, out } = await audit('--json')
      const { chains } = JSON.parse(out) as { chains: Report[] }
      const checks = chains.filter((chain) => domain === undefined || chain.domain === domain).flatMap((c) => c.checks)
      const own = checks.filter((each) => each.about === about)
      return { code, checks: own.map(({ about: _, message: __, ...rest }): Pick<Found, 'code'> => rest) }
    },
  }
}
