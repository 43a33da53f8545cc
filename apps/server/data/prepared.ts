/**
 * Statements of the hot path: written once, and prepared once by each connection. Behind row-level security planning takes
 * several times as long as finding a row by its key. It is for those whose best plan is the same whatever the values;
 * others are better planned each time.
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

/** A migration has changed what a prepared statement answers, and PostgreSQL refuses to run it. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Error && /cached plan must not change result type/.test(error.message)

/** Under new names all are prepared again, on every connection when it comes to it. */
export const prepareAgain = (): void => [...names.keys()].forEach(nameAnew)
