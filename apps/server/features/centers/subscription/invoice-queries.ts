/** Invoices as the billing system stated them. */
import { sql } from 'kysely'
import type { DirectoryTx } from '../../../data/directory.ts'

export interface StatedInvoice {
  readonly number: string
  readonly amount: string
  readonly currency: string
  readonly url?: string
}

/** Of several statements about an invoice, the latest counts. */
export const putInvoice = (
  tx: DirectoryTx,
  { number, amount, currency, url }: StatedInvoice,
  paid: boolean,
  at: Date,
) =>
  sql`
    insert into directory.subscription_invoices as i (number, amount, currency, paid, url, stated_at)
    values (${number}, ${amount}, ${currency}, ${paid}, ${url ?? null}, ${at})
    on conflict (center_id, number) do update set amount = excluded.amount, currency = excluded.currency,
      paid = excluded.paid, url = excluded.url, stated_at = excluded.stated_at
    where i.stated_at < excluded.stated_at`.execute(tx.db)

export async function pageOfInvoices(tx: DirectoryTx, limit: number, offset: number) {
  const own = tx.db.selectFrom('subscription_invoices').where('center_id', '=', tx.caller.centerId)
  const rows = await own
    .select(['number', 'amount', 'currency', 'paid', 'url', 'stated_at'])
    .orderBy('stated_at', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}
