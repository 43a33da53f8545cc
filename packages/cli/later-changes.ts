/** Changes of records that a log has and a file does not show: a file ends with the state that its maker chose. */
import type { ChainEntry } from '@countersign/proof'

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
  const byTarget = new Map<string, (LaterChange & { readonly hash: string })[]>()
  return {
    watch({ hash, sealedAt, content }) {
      const entry = read(content)
      if (typeof entry?.target !== 'string') return
      const change = { hash, type: String(entry.type), at: sealedAt }
      byTarget.set(entry.target, [...(byTarget.get(entry.target) ?? []), change])
    },
    after(document, historyLog) {
      const { evidence } = document as { evidence?: Evidence }
      const center = String(evidence?.log).replace(/\/[^/]*$/, '')
      if (!evidence || `${center}/history` !== historyLog) return null
      const shown = new Set((evidence.history ?? []).map(({ chain }) => chain?.hash))
      return (byTarget.get(String(evidence.id)) ?? []).filter(({ hash }) => !shown.has(hash))
    },
  }
}

interface Evidence {
  readonly id?: unknown
  readonly log?: unknown
  readonly history?: readonly { readonly chain?: { readonly hash?: string } }[]
}

/** An entry that cannot be read is reported by the check of the chain. */
function read(content: ChainEntry['content']): { target?: unknown; type?: unknown } | null {
  try {
    return (typeof content === 'string' ? JSON.parse(content) : content) as { target?: unknown; type?: unknown }
  } catch {
    return null
  }
}
