/** What witnesses know of the logs of a database: one that has cosigned more than the database has proves a loss. */
import type { Domain } from '@countersign/proof/chain.ts'
import { semaphore } from '../../concurrency/semaphore.ts'
import type { Cell } from '../../data/cells.ts'
import { isSigned, textOf } from '../log-keys.ts'
import type { LogBook } from '../trees.ts'
import { signedHeadsAfter } from './queries.ts'

/** How many entries it has cosigned; `another root`: it has cosigned another history of this size. */
export type SeenSize = { readonly size: number } | 'another root' | 'no answer' | 'another answer'

export interface AskedWitness {
  readonly name: string
  /** `note`: a signed checkpoint of the log, with this size. */
  seen(note: string, size: number): Promise<SeenSize>
}

export interface Ahead {
  readonly witness: string
  readonly log: string
  /** Cosigned, and more than the database has. */
  readonly size: number
  readonly has: number
}

export interface AskedLogs {
  /** Logs with a signed checkpoint. */
  readonly asked: number
  readonly ahead: readonly Ahead[]
  /** `witness log`: it has cosigned another root of a size that the database has. */
  readonly contradicting: readonly string[]
  /** Answers that say nothing, by witness. */
  readonly silent: ReadonlyMap<string, number>
}

const perPage = 200
const atATime = 8
/** A witness that fails to answer this many times in a row is not asked again. */
const maxFailures = 3

export async function askWitnesses(
  cell: Cell,
  { nameOf, keys }: Pick<LogBook, 'nameOf' | 'keys'>,
  witnesses: readonly AskedWitness[],
  progress: (line: string) => void,
): Promise<AskedLogs> {
  const found = { ahead: [] as Ahead[], contradicting: [] as string[], silent: new Map<string, number>() }
  const inARow = new Map<string, number>()
  const limit = semaphore(atATime)
  let asked = 0
  if (witnesses.length === 0) return { asked, ...found }

  async function ask(witness: AskedWitness, log: string, note: string, size: number, has: number): Promise<void> {
    const { name } = witness
    const gone = (inARow.get(name) ?? 0) >= maxFailures
    const seen = gone ? 'no answer' : await witness.seen(note, size)
    inARow.set(name, seen === 'no answer' ? (inARow.get(name) ?? 0) + 1 : 0)
    if (seen === 'another root') found.contradicting.push(`${log} (${name})`)
    else if (typeof seen === 'string') found.silent.set(name, (found.silent.get(name) ?? 0) + 1)
    else if (seen.size > has) found.ahead.push({ witness: name, log, size: seen.size, has })
  }

  for (let after = { center_id: 0, domain: '' }; ; ) {
    const page = await signedHeadsAfter(cell, after, perPage)
    const last = page.at(-1)
    if (!last) return { asked, ...found }
    after = last
    const questions = page.flatMap(({ center_id, domain, generation, next_index, size, root, line }) => {
      const log = nameOf({ center_id, domain: domain as Domain, generation })
      // Nothing is shown that we did not sign.
      if (!isSigned(log, keys, line, { size, root })) return []
      asked++
      const note = `${textOf(log, { size, root })}\n${line}`
      return witnesses.map((witness) => limit.run(() => ask(witness, log, note, size, next_index)))
    })
    await Promise.all(questions)
    progress(`${asked} logs compared with ${witnesses.length} witnesses`)
  }
}
