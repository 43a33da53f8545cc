/**
 * The history entries that bind to their people the passkeys that signed approvals and raises of a record, as an export
 * carries them: for each key the path from its registration to the entry that the signature names, and the same for a key
 * that confirmed it.
 */
import type { TenantTx } from '../../../data/cells.ts'
import { type BindingRow, entriesAbout, keysOf } from './binding-queries.ts'
import type { DpuRecord, HistoryRow } from './queries.ts'

/** Longer chains of confirmations are not exported, and a verifier does not follow them. */
const maxKeys = 8

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

export async function bindingsOf(
  tx: TenantTx,
  { approvals, history }: Pick<DpuRecord, 'approvals' | 'history'>,
): Promise<readonly HistoryRow[]> {
  const signed = (approvals ?? []).flatMap(({ passkey, passkey_id }) =>
    passkey && passkey_id ? [{ binding: passkey.binding, passkey_id }] : [],
  )
  const raises = (history ?? []).flatMap(raiseIn)
  let wanted = [...signed, ...raises].map(({ binding }) => binding)
  if (wanted.length === 0) return []
  const found = new Map<string, readonly BindingRow[]>()
  const raisers = raises.map(({ approverId }) => approverId)
  let entries = await entriesAbout(tx, [
    ...signed.map(({ passkey_id }) => passkey_id),
    ...(raisers.length > 0 ? await keysOf(tx, raisers) : []),
  ])
  while (wanted.length > 0 && found.size < maxKeys) {
    const paths = wanted.map((hash) => pathTo(entries, hash)).filter(([first]) => first !== undefined)
    const next: Confirmation[] = []
    for (const path of paths) {
      const { target } = path[0] as BindingRow
      // Two signatures may name the same key at different times: the longer path contains the other.
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

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a signed raise names; a row that was changed names nothing, and the export then lacks the binding. */
function raiseIn({ disclosed }: HistoryRow): readonly { readonly binding: string; readonly approverId: string }[] {
  const { binding, statement } = ((disclosed ?? {}) as { passkey?: RaiseNames | null }).passkey ?? {}
  const { approverId } = statement ?? {}
  return typeof binding === 'string' && typeof approverId === 'string' && uuid.test(approverId)
    ? [{ binding, approverId }]
    : []
}

interface RaiseNames {
  readonly binding?: unknown
  readonly statement?: { readonly approverId?: unknown } | null
}

/** An older key of the same person has no `confirmerId`. */
function confirmationsIn({ disclosed }: BindingRow): readonly Confirmation[] {
  const { confirmation, actorId } = (disclosed ?? {}) as { confirmation?: Confirmation; actorId?: string }
  if (!confirmation?.binding) return []
  const confirmerId = confirmation.confirmerId ?? actorId
  return [{ binding: confirmation.binding, ...(confirmerId !== undefined && { confirmerId }) }]
}
