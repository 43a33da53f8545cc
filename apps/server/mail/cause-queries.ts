import type { MessageEvent } from '@countersign/contract/messages.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../data/cells.ts'
import type { DirectoryTx, IdentityTx, OperatorTx } from '../data/directory.ts'
import { now, secondsFromNow } from '../lib/clock.ts'

/** Ids and times. A cause has no names, no text of people, and no secret. */
export interface CauseFacts {
  /** Whom the event is about. */
  readonly person?: string
  /** Further people whom it tells, by what they are in it. */
  readonly instructors?: readonly string[]
  readonly requester?: readonly string[]
  readonly commenters?: readonly string[]
  /** Who did it: staff are not told of what they did themselves. */
  readonly by?: string | null
  readonly at?: string
  readonly startsAt?: string
  readonly before?: string
  readonly role?: string
  readonly status?: string
  /** The id of what the page shows, as the API has it. */
  readonly id?: string
  /** Further texts of ours, such as the chain of an alarm. */
  readonly of?: Readonly<Record<string, string | number>>
}

export interface Cause {
  /** The same cause, noted again, has the same id and tells nobody twice. */
  readonly id: string
  readonly event: MessageEvent
  readonly facts: CauseFacts
}

/** Longer than any job looks back, so that it finds what it has noted. */
const keptSeconds = 40 * 86_400

export async function insertCause(
  tx: DirectoryTx | IdentityTx | OperatorTx,
  centerId: number | null,
  { id, event, facts }: Cause,
): Promise<void> {
  await sql`
    insert into directory.message_causes (id, event, center_id, facts, noted_at, next_at, expires_at)
    values (${id}, ${event}, ${centerId}, ${JSON.stringify(facts)}, ${now()}, ${now()}, ${secondsFromNow(keptSeconds)})
    on conflict do nothing`.execute((tx as DirectoryTx).db)
}

export async function insertCellCause(tx: TenantTx, { id, event, facts }: Cause): Promise<void> {
  await sql`
    insert into cell.message_causes (center_id, id, event, facts, noted_at, expires_at)
    values (${tx.caller.centerId}, ${id}, ${event}, ${JSON.stringify(facts)}, ${now()}, ${secondsFromNow(keptSeconds)})
    on conflict do nothing`.execute(tx.db)
}
