/** Log keys in the directory: those that were stolen, and which one each process signs with. Never a private key. */
import { sql } from 'kysely'
import type { IdentityTx, OperatorTx } from '../data/directory.ts'
import type { StolenKey } from './log-book.ts'

export async function readStolenKeys(tx: IdentityTx): Promise<readonly StolenKey[]> {
  const { rows } = await sql<{ public_key: Buffer; stolen_at: Date }>`
    select public_key, stolen_at from directory.stolen_log_keys`.execute(tx.db)
  return rows.map(({ public_key, stolen_at }) => ({ publicKey: public_key, at: stolen_at }))
}

export const reportStolenKey = (tx: OperatorTx, { publicKey, at }: StolenKey) =>
  sql`insert into directory.stolen_log_keys (public_key, stolen_at) values (${publicKey}, ${at})
    on conflict do nothing`.execute(tx.db)

/** What one process says of itself. */
export interface SignerRow {
  /** Host and process id. */
  readonly process: string
  readonly role: string
  readonly vkey: string
  readonly refuses: boolean
}

/** Also forgets processes that have said nothing for a day. */
export async function stateSigner(tx: IdentityTx, { process, role, vkey, refuses }: SignerRow): Promise<void> {
  await sql`delete from directory.log_signers where seen_at < now() - interval '1 day'`.execute(tx.db)
  await sql`
    insert into directory.log_signers as s (process, role, vkey, refuses, seen_at)
    values (${process}, ${role}, ${vkey}, ${refuses}, now())
    on conflict (process) do update
    set role = excluded.role, vkey = excluded.vkey, refuses = excluded.refuses, seen_at = excluded.seen_at`.execute(
    tx.db,
  )
}

export const forgetSigner = (tx: IdentityTx, process: string) =>
  sql`delete from directory.log_signers where process = ${process}`.execute(tx.db)

/** Of processes that have said so in the last two minutes. */
export async function readSigners(tx: IdentityTx | OperatorTx): Promise<readonly SignerRow[]> {
  const { rows } = await sql<SignerRow>`
    select process, role, vkey, refuses from directory.log_signers
    where seen_at > now() - interval '2 minutes' order by process`.execute(tx.db)
  return rows
}
