/** One function call that is its own transaction. */
import pg from 'pg'
import { nameOn } from './pool.ts'
import { asProblem, connect, isDiskFull, isReadOnly, isSilent, unknownOutcome } from './transaction.ts'
import { writeFailed, writeSucceeded } from './write-health.ts'

/**
 * Maps the errors of one statement that is its own transaction: a refusal, or a lost connection with unknown outcome.
 */
export async function calling(pool: pg.Pool, name: string, text: string, values: readonly unknown[]) {
  const client = await connect(pool)
  let broken = true
  try {
    const result = await client.query<Record<string, unknown>>({
      name: nameOn(pool, name),
      text,
      values: values as unknown[],
    })
    broken = false
    writeSucceeded(pool)
    return result.rows
  } catch (error) {
    const lost = !(error instanceof pg.DatabaseError)
    broken = lost || isReadOnly(error)
    if (isDiskFull(error)) writeFailed(pool, 'disk')
    if (isSilent(error)) writeFailed(pool, 'standby')
    throw lost ? unknownOutcome(error) : asProblem(error)
  } finally {
    client.release(broken)
  }
}
