/**
 * Holds every consumption of the log `history` against the stops of the same log: nothing that a stop covers is taken between its
 * entry and that of its lifting, and nothing that was sealed in between is taken later. What a decision is about comes from its
 * seal in the log `proof`.
 */
import { covers, freezeState, type StopCovers, type Stoppable } from '@countersign/proof'
import { type Check, check } from './checks.ts'
import { contentOf, type ValuedEntry } from './entry-lines.ts'
import type { Facts, Word } from './words.ts'

interface Stop {
  readonly covers: StopCovers
  readonly from: number
  /** Without an end while it is in force. */
  until: number
}

interface Sealed extends Stoppable {
  /** What a redaction has hidden: nobody can tell whether a stop of it covers the decision. */
  readonly hides: { readonly actorId: boolean; readonly keyId: boolean }
  /** The entry of the history under which it was judged. */
  readonly judgedAt: number | null
}

export function watchStops() {
  const seals = new Map<string, Sealed>()
  /** Seals of one agent under the same rules share what is kept of them. */
  const kinds = new Map<string, Sealed>()
  const stops = new Map<string, Stop>()
  const faults = new Map<Word, Check>()
  let [size, compared, unknown] = [0, 0, 0]
  let isShown = true

  const fault = (word: Word, facts: Facts) => {
    if (!faults.has(word)) faults.set(word, check('stops', 'no', word, facts))
  }

  function stopChanged(entry: ValuedEntry, index: number, target: string, state: unknown): void {
    const { action, covers } = entry.values ?? {}
    const isKnown = action === 'frozen' || action === 'lifted'
    if (!isKnown || covers === undefined || freezeState(action) !== state) {
      fault('a stops-unshown', { index })
      return
    }
    const known = stops.get(target)
    const isFirst = action === 'frozen'
    if (isFirst !== (known === undefined) || (known && known.until < index)) fault('a stops-order', { index })
    if (isFirst) stops.set(target, { covers: covers as StopCovers, from: index, until: Number.POSITIVE_INFINITY })
    else if (known) known.until = index
  }

  function consumed(index: number, target: string, by: string | null): void {
    const sealed = seals.get(target)
    if (stops.size === 0) return
    if (!sealed) {
      unknown++
      return
    }
    const { judgedAt, keyIds, hides } = sealed
    const taken = { ...sealed, keyIds: [...keyIds, by] }
    let isHidden = false
    for (const { covers: covered, from, until } of stops.values()) {
      const isStopped = index < until
      const wasStopped = judgedAt !== null && judgedAt >= from && judgedAt < until
      if (isStopped && covers(covered, taken)) fault('a stops-run', { index, stop: from })
      else if (wasStopped && covers(covered, sealed)) fault('a stops-sealed', { index, stop: from })
      else if (isStopped || wasStopped) {
        isHidden ||= covered.actorId !== undefined && hides.actorId
        isHidden ||= covered.keyId !== undefined && (hides.keyId || by === null)
      }
    }
    if (isHidden) unknown++
    else compared++
  }

  return {
    /** For every entry of the log `proof`, before the first one of `history`. */
    watchSeal(entry: ValuedEntry): void {
      const {
        id,
        event,
        commitments = {},
      } = contentOf(entry) as ReturnType<typeof contentOf> & {
        readonly event?: { readonly action?: { readonly type?: unknown } }
      }
      const type = event?.action?.type
      if (typeof id !== 'string' || typeof type !== 'string') return
      if (entry.values === undefined) isShown = false
      const { values = {} } = entry
      const rules = (values.control as { rules?: { index: number | null } } | undefined)?.rules
      const [actorId, key] = [values['event.actor.id'], values['event.recordedBy']]
      const isHidden = (path: string) => Object.hasOwn(commitments, path) && !Object.hasOwn(values, path)
      const sealed: Sealed = {
        actorId: typeof actorId === 'string' ? actorId : null,
        keyIds: [typeof key === 'string' ? key : null],
        actionType: type,
        judgedAt: rules?.index ?? null,
        hides: { actorId: isHidden('event.actor.id'), keyId: isHidden('event.recordedBy') },
      }
      const kind = JSON.stringify(sealed)
      if (!kinds.has(kind)) kinds.set(kind, sealed)
      seals.set(id, kinds.get(kind) ?? sealed)
    },

    watchChange(entry: ValuedEntry): void {
      const index = size++
      const { type, target, state } = contentOf(entry)
      if (typeof target !== 'string') return
      if (entry.values === undefined) isShown = false
      else if (type === 'freeze') stopChanged(entry, index, target, state)
      else if (type === 'execution' && entry.values.action === 'consumed') {
        const by = (entry.values.by as { id?: unknown } | undefined)?.id
        consumed(index, target, typeof by === 'string' ? by : null)
      }
    },

    checks(): readonly Check[] {
      if (faults.size > 0) return [...faults.values()]
      // Without values it is not known whether there are any: the check of the values says so already.
      if (!isShown || stops.size === 0) return []
      const facts = { stops: stops.size, compared }
      if (unknown > 0) return [check('stops', 'unknown', 'a stops-unknown', { ...facts, unknown })]
      return [check('stops', 'yes', 'a stops-hold', facts)]
    },
  }
}
