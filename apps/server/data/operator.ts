/**
 * The operator's shell: transactions over all centers. An import rule keeps it out of all code that serves requests.
 */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { DB } from './directory.generated.ts'
import { access, type Caller, type OperatorTx } from './directory.ts'
import { openPool } from './pool.ts'
import { transaction } from './transaction.ts'

export interface OperatorShell {
  asOperator<T>(caller: Caller, work: (tx: OperatorTx) => Promise<T>): Promise<T>
  inCell<T>(cell: string, work: (db: Kysely<never>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openOperatorShell(config: Config, log: Logger): OperatorShell {
  const { databaseUrl: url, logins, preparedStatements: prepared } = config
  const pool = openPool({ url, role: 'cs_operator', logins, prepared, max: 1, log })
  return {
    asOperator: (caller, work) =>
      transaction(pool, {}, (db: Kysely<DB>, afterCommit) => work(access(db, caller, afterCommit) as OperatorTx)),
    async inCell(cell, work) {
      const at = config.cells.get(cell) as string
      const own = openPool({ url: at, role: 'cs_operator', logins, prepared, max: 1, log })
      try {
        return await transaction(own, {}, (db: Kysely<never>) => work(db))
      } finally {
        await own.end()
      }
    },
    close: () => pool.end(),
  }
}
