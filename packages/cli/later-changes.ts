/** Changes of records that a log has and a file does not show: a file ends with the state that its maker chose. */
import { type ChainEntry, familyOf, mostPrior } from '@countersign/proof'
import { contentOf } from './entry-lines.ts'

export interface LaterChange {
  readonly type: string
  readonly at: string
}

export interface Changes {
  /** For every entry of the log `history`, in its order. */
  readonly watch: (entry: ChainEntry) => void
  /** Null for a file that is about a record of another center, or of none. */
  readonly after: (document: unknown, historyLog: string) => readonly LaterChange[] | null
}

export function collectChanges(): Changes {
  const byTarget = new Map<string, (LaterChange & { readonly hash: string; readonly index: number })[]>()
  /** An entry about a passkey that a signature should have named: its removal before, above all. */
  const unshownAbout = ({ target, size, shown }: UsedKey) =>
    (byTarget.get(target) ?? []).filter(({ hash, index }) => index < size && !shown.has(hash))
  return {
    watch(entry) {
      const { index, hash, sealedAt } = entry
      const { target, type } = contentOf(entry)
      if (typeof target !== 'string') return
      const change = { index, hash, type: String(type), at: sealedAt }
      byTarget.set(target, [...(byTarget.get(target) ?? []), change])
    },
    after(document, historyLog) {
      const { evidence } = document as { evidence?: Evidence }
      const center = familyOf(String(evidence?.log)).first.replace(/\/[^/]*$/, '')
      if (!evidence || `${center}/history` !== familyOf(historyLog).first) return null
      const shown = new Set((evidence.history ?? []).map(({ chain }) => chain?.hash))
      const ofRecord = (byTarget.get(String(evidence.id)) ?? []).filter(({ hash }) => !shown.has(hash))
      return [...ofRecord, ...keysIn(evidence).flatMap(unshownAbout)]
    },
  }
}

interface Evidence {
  readonly id?: unknown
  readonly log?: unknown
  readonly history?: readonly (Shown & Signed)[]
  readonly bindings?: readonly (Shown & { readonly target?: unknown })[]
  readonly approval?: Signed
  readonly priorApprovals?: readonly Signed[]
  readonly [prior: `prior${number}`]: { readonly approval?: Signed; readonly control?: { readonly void?: unknown } }
}

interface Shown {
  readonly chain?: { readonly hash?: string }
}

interface Signed {
  readonly passkey?: { readonly binding?: string; readonly historySize?: number }
}

interface UsedKey {
  readonly target: string
  /** The number of history entries when the approval or the raise was judged. */
  readonly size: number
  readonly shown: ReadonlySet<string | undefined>
}

function keysIn(evidence: Evidence): readonly UsedKey[] {
  const { bindings = [], history = [], approval, priorApprovals = [] } = evidence
  const shown = new Set(bindings.map(({ chain }) => chain?.hash))
  const earlier = [...priorApprovals, ...countingIn(evidence)]
  return [...earlier, ...(approval ? [approval] : []), ...history].flatMap(({ passkey }) => {
    const bound = bindings.find(({ chain }) => chain?.hash === passkey?.binding)
    const size = passkey?.historySize ?? 0
    return bound ? [{ target: String(bound.target), size, shown }] : []
  })
}

/** What did not count when the decision was sealed needs no key. */
const countingIn = (evidence: Evidence): readonly Signed[] =>
  Array.from({ length: mostPrior }, (_, position) => evidence[`prior${position}`]).flatMap((each) =>
    each?.approval && each.control?.void === undefined ? [each.approval] : [],
  )
