/** What a command of the operator gets, and how it is described. */
import type { Kysely } from 'kysely'
import type { Environment } from '../config/config.ts'
import type { Caller, OperatorTx } from '../data/directory.ts'
import type { Services } from '../services.ts'

export interface Shell {
  readonly services: Services
  readonly caller: Caller
  /** For commands that take a while. */
  progress(line: string): void
  asOperator<T>(work: (tx: OperatorTx) => Promise<T>): Promise<T>
  /** A transaction in the database of a cell, where the role of the operator sees next to nothing. */
  inCell<T>(cell: string, work: (db: Kysely<never>) => Promise<T>): Promise<T>
}

interface CommandUsage {
  /** The arguments; those in brackets are optional. */
  readonly takes: string
  readonly does: string
}

interface ShellCommand extends CommandUsage {
  run(shell: Shell, ...args: readonly string[]): Promise<string>
}

/** Needs no database: a server cannot start without the key that the command creates. */
interface OfflineCommand extends CommandUsage {
  runOffline(settings: Environment, ...args: readonly string[]): Promise<string>
}

export type Command = ShellCommand | OfflineCommand

export class UsageError extends Error {}
