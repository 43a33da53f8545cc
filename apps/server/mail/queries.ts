import type { Language } from '@countersign/words/say.ts'
import { sql } from 'kysely'
import type { Lease } from '../concurrency/leases.ts'
import type { DirectoryTx, IdentityTx, OperatorTx, PartnerTx } from '../data/directory.ts'
import type { LeasedTable } from '../delivery/lease-queries.ts'
import { now } from '../lib/clock.ts'
import type { MailFigures } from '../lib/metrics-scanned.ts'

export const insertMail = (
  tx: DirectoryTx | IdentityTx | OperatorTx,
  mail: { id: string; sealed: Buffer; next_at: Date; expires_at: Date },
) => tx.db.insertInto('mails').values(mail).execute()

/** Returns how many invitations the recipient got until the end of this day, this one included; locks its row. */
export async function countRecipient(
  tx: DirectoryTx | IdentityTx | PartnerTx | OperatorTx,
  recipient: Buffer,
  until: Date,
): Promise<number> {
  await sql`select set_config('app.recipient', ${recipient.toString('hex')}, true)`.execute(tx.db)
  const { rows } = await sql<{ invitations: number }>`
    insert into directory.invited_recipients as r (recipient, invitations, expires_at) values (${recipient}, 1, ${until})
    on conflict (recipient) do update
      set invitations = case when r.expires_at < excluded.expires_at then 1 else r.invitations + 1 end,
        expires_at = excluded.expires_at
    returning invitations`.execute(tx.db)
  return rows[0]?.invitations ?? 0
}

export interface DueMail extends Lease {
  readonly id: string
  readonly sealed: Buffer
}

export const mails: LeasedTable = {
  name: 'directory.mails',
  key: ['id'],
  lease: 'next_at',
  epoch: 'attempts',
  due: (at) => sql`next_at <= ${at} and expires_at > ${at}`,
  order: 'next_at',
  columns: 'r.id, r.sealed',
}

export async function countWaitingMails(tx: IdentityTx): Promise<MailFigures> {
  const row = await tx.db
    .selectFrom('mails')
    .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('next_at').as('oldest')])
    .where('expires_at', '>', now())
    .executeTakeFirstOrThrow()
  const overdueMs = row.oldest === null ? 0 : now().getTime() - row.oldest.getTime()
  return { waiting: Number(row.waiting), overdueSeconds: Math.max(0, overdueMs / 1000) }
}

export async function isSandboxOwner(tx: IdentityTx, centerId: number, address: string): Promise<boolean> {
  const owner = await tx.db
    .selectFrom('centers as c')
    .innerJoin('actors as a', 'a.id', 'c.sandbox_by')
    .select('a.email')
    .where('c.id', '=', centerId)
    .executeTakeFirst()
  return owner?.email?.toLowerCase() === address.trim().toLowerCase()
}

/** The language that whoever signs in with this address has chosen; null without an account or a choice. */
export async function chosenLanguage(tx: IdentityTx, address: string): Promise<Language | null> {
  const row = await tx.db
    .selectFrom('login_identifiers as l')
    .innerJoin('actors as a', 'a.id', 'l.actor_id')
    .select('a.language')
    .where('l.identifier', '=', `email:${address.trim().toLowerCase()}`)
    .executeTakeFirst()
  return (row?.language ?? null) as Language | null
}

/** Null where the center is gone. */
export async function localeOf(tx: IdentityTx, centerId: number): Promise<string | null> {
  const { rows } = await sql<{ locale: string }>`
    select coalesce(settings->>'locale', 'ko-KR') as locale from directory.centers where id = ${centerId}`.execute(
    tx.db,
  )
  return rows[0]?.locale ?? null
}
