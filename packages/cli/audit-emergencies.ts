/**
 * Follows what was approved in an emergency through the log `history`: nobody confirms what they approved so themselves, and
 * nothing is consumed after an objection, or after nobody confirmed it in time.
 */
import { type Check, check } from './checks.ts'
import { contentOf, type ValuedEntry } from './entry-lines.ts'

interface Followed {
  readonly confirmBy: string
  readonly users: ReadonlySet<string>
  state: 'open' | 'confirmed' | 'ended'
}

interface SealedApproval {
  readonly approver?: { readonly id?: unknown }
  readonly identity?: { readonly by?: unknown }
  readonly onBehalfOf?: unknown
}

interface Sealed {
  readonly emergency?: { readonly confirmBy?: unknown } | true
  readonly admitted?: readonly { readonly by?: unknown }[]
}

const peopleOf = ({ approver, identity, onBehalfOf }: SealedApproval): readonly string[] =>
  [approver?.id, identity?.by, onBehalfOf].filter((each) => typeof each === 'string')

/** Everybody who approved so, as far as the values are not redacted. Of the last approval its places say it. */
function usersOf(values: NonNullable<ValuedEntry['values']>): readonly string[] {
  const { control } = values as { control?: Sealed }
  const last = {
    approver: { id: values['approval.approver.id'] },
    identity: { by: values['approval.identity.by'] },
    onBehalfOf: values['approval.onBehalfOf'],
  }
  const prior = Object.entries(values).flatMap(([name, value]) => {
    const { approval, control: own } = (value ?? {}) as { approval?: SealedApproval; control?: Sealed }
    return /^prior\d+$/.test(name) && own?.emergency === true ? peopleOf(approval ?? {}) : []
  })
  return [...prior, ...(control?.admitted?.some(({ by }) => by === 'emergency') ? peopleOf(last) : [])]
}

export function watchEmergencies() {
  const followed = new Map<string, Followed>()
  let [size, confirmations, late, firstLate, own, firstOwn] = [0, 0, 0, 0, 0, 0]
  return {
    /** For every entry of the log `proof`, before the first one of `history`. */
    watchSeal(entry: ValuedEntry): void {
      const { control } = (entry.values ?? {}) as { control?: Sealed }
      const { confirmBy } = typeof control?.emergency === 'object' ? control.emergency : {}
      const { id } = contentOf(entry)
      if (!entry.values || typeof confirmBy !== 'string' || typeof id !== 'string') return
      followed.set(id, { confirmBy, users: new Set(usersOf(entry.values)), state: 'open' })
    },
    watchChange(entry: ValuedEntry): void {
      const index = size++
      const { type, target } = contentOf(entry)
      const one = typeof target === 'string' ? followed.get(target) : undefined
      if (!one || !entry.values) return
      const { action, by, onBehalfOf, complete } = entry.values as {
        readonly [name: string]: unknown
        readonly by?: { readonly id?: unknown }
      }
      if (type === 'confirmation') {
        if (action === 'confirmed') {
          confirmations++
          const isOwn = [by?.id, onBehalfOf].some((id) => typeof id === 'string' && one.users.has(id))
          if (isOwn && own++ === 0) firstOwn = index
          if (complete === true && one.state === 'open') one.state = 'confirmed'
        } else if (one.state === 'open') one.state = 'ended'
      }
      if (type !== 'execution' || action !== 'consumed') return
      const isOver = one.state === 'ended' || (one.state === 'open' && entry.sealedAt > one.confirmBy)
      if (isOver && late++ === 0) firstLate = index
    },
    checks(): readonly Check[] {
      if (followed.size === 0) return []
      if (own > 0) return [check('emergencies', 'no', 'a confirmed-own', { own, index: firstOwn })]
      if (late > 0) return [check('emergencies', 'no', 'a confirmed-late', { late, index: firstLate })]
      return [check('emergencies', 'yes', 'a confirmed-hold', { confirmations })]
    },
  }
}
