/**
 * Prepared statements for the hot path, prepared once per connection. Behind row-level security, planning takes several
 * times as long as a lookup by key. Only for statements whose best plan does not depend on the values; others are
 * planned on each call.
 */
import { CompiledQuery, type Kysely } from 'kysely'

const names = new Map<string, string>()
let given = 0
const nameAnew = (text: string): unknown => names.set(text, `cs_${++given}`)

interface AnyTx {
  readonly db: Pick<Kysely<unknown>, 'executeQuery'>
}

export function statement<Row>(text: string) {
  nameAnew(text)
  return async ({ db }: AnyTx, ...values: unknown[]): Promise<Row[]> =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
}

export const statementName = (text: string): string | undefined => names.get(text)

/** A migration changed the result type of a prepared statement, and PostgreSQL refuses to run it. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Error && /cached plan must not change result type/.test(error.message)

/** New names make every connection prepare all statements again. */
export const prepareAgain = (): void => [...names.keys()].forEach(nameAnew)
