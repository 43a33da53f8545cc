/**
 * The history entries that bind the passkeys of a decision's approvals to their people, as an export carries them: for
 * each key the path from its registration to the entry that the approval names, and the same for a key that confirmed it.
 */
import type { TenantTx } from '../../../data/cells.ts'
import type { ApprovalRow } from '../../../governance/rows.ts'
import { type BindingRow, entriesAbout, keysOf } from './binding-queries.ts'
import type { HistoryRow } from './queries.ts'

/** Longer chains of confirmations are not exported, and a verifier does not follow them. */
const mostKeys = 8

interface Confirmation {
  readonly binding?: string
  readonly confirmerId?: string
}

/** The entries about one key up to the named one; empty if it is not among them. */
function pathTo(entries: readonly BindingRow[], hash: string): readonly BindingRow[] {
  const target = entries.find((entry) => entry.hash === hash)?.target
  const path = entries.filter((entry) => entry.target === target)
  return path.slice(0, path.findIndex((entry) => entry.hash === hash) + 1)
}

export async function bindingsOf(tx: TenantTx, approvals: readonly ApprovalRow[]): Promise<readonly HistoryRow[]> {
  const signed = approvals.flatMap(({ passkey, passkey_id }) =>
    passkey && passkey_id ? [{ passkey, passkey_id }] : [],
  )
  if (signed.length === 0) return []
  const found = new Map<string, readonly BindingRow[]>()
  let entries = await entriesAbout(
    tx,
    signed.map(({ passkey_id }) => passkey_id),
  )
  let wanted = signed.map(({ passkey }) => passkey.binding)
  while (wanted.length > 0 && found.size < mostKeys) {
    const paths = wanted.map((hash) => pathTo(entries, hash)).filter(([first]) => first !== undefined)
    const next: Confirmation[] = []
    for (const path of paths) {
      const { target } = path[0] as BindingRow
      // Two approvals may name the same key at different times: the longer path contains the other.
      if ((found.get(target)?.length ?? 0) >= path.length) continue
      found.set(target, path)
      next.push(...path.flatMap(confirmationsIn))
    }
    wanted = next.flatMap(({ binding }) => binding ?? [])
    if (wanted.length === 0) break
    const confirmers = next.flatMap(({ confirmerId }) => confirmerId ?? [])
    entries = await entriesAbout(tx, await keysOf(tx, [...new Set(confirmers)]))
  }
  return [...found.values()].flat().sort((a, b) => a.idx - b.idx)
}

/** An older key of the same person has no `confirmerId`. */
function confirmationsIn({ disclosed }: BindingRow): readonly Confirmation[] {
  const { confirmation, actorId } = (disclosed ?? {}) as { confirmation?: Confirmation; actorId?: string }
  if (!confirmation?.binding) return []
  const confirmerId = confirmation.confirmerId ?? actorId
  return [{ binding: confirmation.binding, ...(confirmerId !== undefined && { confirmerId }) }]
}
