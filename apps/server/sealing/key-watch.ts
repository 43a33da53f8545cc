/**
 * Keeps the log keys of a process current: every two seconds it reads the key file and the keys that were reported stolen, and it
 * records in the directory which key it signs with. While the directory is unavailable, a process learns of no new theft, and signs.
 */
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { type Loop, loop } from '../concurrency/loop.ts'
import { ConfigError } from '../config/config.ts'
import type { Directory } from '../data/directory.ts'
import { forgetSigner, readStolenKeys, stateSigner } from './key-queries.ts'
import type { KeyRing } from './log-book.ts'

const everyMs = 2000
const stateEveryMs = 30_000
const caller = { requestId: 'log-keys', actorId: 'log-keys', centerId: 0 }

export interface KeyWatch extends Loop {
  /** One turn, before the process serves anything. */
  look(): Promise<void>
}

/** A process that can sign nothing does not start. */
export function requireOwnKey({ refuses, current: { vkey } }: KeyRing): void {
  if (refuses)
    throw new ConfigError(
      `setting TLOG_KEY or TLOG_KEY_FILE: the log key ${vkey} was reported stolen. Bring the new key file to this machine`,
    )
}

export function keyWatch(ring: KeyRing, directory: Directory, role: string, log: Logger): KeyWatch {
  const name = `${hostname()}:${process.pid}`
  let stated = { key: '', at: Number.NEGATIVE_INFINITY }

  async function state(): Promise<void> {
    const row = { process: name, role, vkey: ring.current.vkey, refuses: ring.refuses }
    const key = `${row.vkey} ${row.refuses}`
    if (key === stated.key && performance.now() - stated.at < stateEveryMs) return
    await directory.identity(caller, (tx) => stateSigner(tx, row))
    if (key !== stated.key && row.refuses)
      log.error(
        { logKey: row.vkey },
        'the log key was stolen: this process signs nothing until it has the new key file',
      )
    stated = { key, at: performance.now() }
  }

  async function look(): Promise<void> {
    let fault: unknown = null
    try {
      ring.reload()
    } catch (error) {
      fault = error
    }
    ring.report(await directory.identity(caller, readStolenKeys, 'read'))
    await state()
    if (fault) throw fault
  }
  const failure = 'the log keys could not be read again; the present ones stay in use'
  const looking = loop({ everyMs, turn: look, log, failure })
  return {
    ...looking,
    look,
    async stop() {
      await looking.stop()
      await directory.identity(caller, (tx) => forgetSigner(tx, name)).catch(() => {})
    },
  }
}
