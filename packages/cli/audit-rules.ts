/**
 * Replays the policies from the log `history` and holds every seal of the log `proof` against them: each says at which entry of
 * the history it was judged, and the digest of all policies in force then. So policies that were taken out of the database for a
 * moment, without an entry, are found. The order between the two logs is that of these numbers.
 */
import { hash } from 'node:crypto'
import { canonical, type Json, rulesDigest } from '@countersign/proof'
import { type Check, check } from './checks.ts'
import { contentOf, type ValuedEntry } from './entry-lines.ts'
import type { Facts, Word } from './words.ts'

interface ReplayedRules {
  /** For every entry of the log `proof`, in its order; all of them before the first one of `history`. */
  readonly watchSeal: (entry: ValuedEntry) => void
  readonly watchChange: (entry: ValuedEntry) => void
  readonly checks: () => readonly Check[]
}

interface Policy {
  readonly id: string
  readonly version: number
  readonly digest: string
}

/** Consecutive seals that say the same. */
interface Seals {
  readonly from: number
  to: number
  /** When the last of them was made. */
  until: string
  /** The entry of the history, or null before the first change. */
  readonly at: number | null
  readonly digest: string
  /** The policies that they name, and the first seal that does. */
  readonly named: Map<string, number>
}

/** The clocks of two processes may differ by less than this; the order of the seals themselves does not depend on them. */
const clockSkew = 60_000

const nameOf = ({ id, version, digest }: Policy): string => `${id} ${version} ${digest}`

export function replayRules(): ReplayedRules {
  const groups: Seals[] = []
  const byPlace = new Map<number, Seals[]>()
  const faults = new Map<Word, Check>()
  const changes: { readonly index: number; readonly sealedAt: string }[] = []
  const inForce = new Map<string, Policy>()
  let [seals, entries, size] = [0, 0, 0]
  let [isShown, isRead] = [true, true]
  /** Of the last declared loss: what was sealed before it may name entries that are lost. */
  let lossAt = ''

  const fault = (word: Word, facts: Facts) => {
    if (!faults.has(word)) faults.set(word, check('rules', 'no', word, facts))
  }

  function hold(group: Seals): void {
    if (rulesDigest([...inForce.values()]) !== group.digest) {
      fault('a rules-differ', { index: group.from, last: group.to, count: group.to - group.from + 1 })
      return
    }
    const standing = new Set([...inForce.values()].map(nameOf))
    for (const [name, index] of group.named) {
      if (!standing.has(name)) fault('a rules-foreign', { index, policy: name.split(' ')[0] as string })
    }
  }

  return {
    watchSeal(entry) {
      const index = entries++
      const { policies = [], succession, commitments = {} } = contentOf(entry)
      if (succession !== undefined) {
        lossAt = entry.sealedAt
        return
      }
      if (entry.values === undefined) {
        isShown = false
        return
      }
      const rules = (entry.values.control as { rules?: { index: number | null; digest: string } } | undefined)?.rules
      if (!rules) {
        if (Object.hasOwn(commitments, 'control')) fault('a rules-hidden', { index })
        else if (seals > 0) fault('a rules-missing', { index })
        return
      }
      seals++
      let group = groups.at(-1)
      if (!group || group.at !== rules.index || group.digest !== rules.digest) {
        group = {
          from: index,
          to: index,
          until: entry.sealedAt,
          at: rules.index,
          digest: rules.digest,
          named: new Map(),
        }
        groups.push(group)
        if (group.at !== null) byPlace.set(group.at, [...(byPlace.get(group.at) ?? []), group])
      }
      group.to = index
      group.until = entry.sealedAt
      for (const name of (policies as readonly Policy[]).map(nameOf))
        if (!group.named.has(name)) group.named.set(name, index)
    },

    watchChange(entry) {
      const index = size++
      const { type, target, succession } = contentOf(entry)
      if (succession !== undefined && entry.sealedAt > lossAt) lossAt = entry.sealedAt
      if (entry.values === undefined) isRead = false
      else if (type === 'policy') {
        const { version, digest, action, policy } = entry.values
        changes.push({ index, sealedAt: entry.sealedAt })
        const isKnown = typeof version === 'number' && typeof digest === 'string' && typeof action === 'string'
        if (!isKnown || typeof target !== 'string') fault('a rules-unshown', { index })
        else if (action === 'deleted') inForce.delete(target)
        else if (policy === undefined || digest !== digestOf(policy)) fault('a rules-text', { index })
        else inForce.set(target, { id: target, version, digest })
      }
      for (const group of byPlace.get(index) ?? []) if (group.until > lossAt) hold(group)
    },

    checks() {
      if (!isShown || !isRead) return [check('rules', 'unknown', 'a rules-unread')]
      const kept = groups.filter(({ until }) => until > lossAt)
      let newest: number | null = null
      for (const { at, from, until, digest } of kept) {
        if ((at ?? -1) < (newest ?? -1)) fault('a rules-back', { index: from })
        else newest = at
        if (at === null && digest !== rulesDigest([])) fault('a rules-differ', { index: from, last: from, count: 1 })
        const next = changes.find(({ index }) => index > (at ?? -1))
        if (next && Date.parse(until) - Date.parse(next.sealedAt) > clockSkew) {
          fault('a rules-outdated', { index: from, change: next.index })
        }
      }
      if (faults.size > 0) return [...faults.values()]
      if (seals === 0) return entries === 0 ? [] : [check('rules', 'unknown', 'a rules-unsaid')]
      const later = kept.filter(({ at }) => (at ?? -1) >= size).reduce((sum, { from, to }) => sum + to - from + 1, 0)
      if (later > 0) return [check('rules', 'unknown', 'a rules-later', { seals, later })]
      return [check('rules', 'yes', 'a rules-hold', { seals, changes: changes.length })]
    },
  }
}

const digestOf = (policy: Json): string => `sha256:${hash('sha256', canonical(policy))}`
