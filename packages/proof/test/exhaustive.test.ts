/**
 * For every field of a proof, and every pair of its changes: removed, exchanged, doubled or altered, it is refused, says
 * the same, or is an earlier state that is named as such. Exhaustive over one file of each kind.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical, type Json } from '../canonical.ts'
import type { ExportDocument } from '../export.ts'
import { parsePolicy } from '../trust-policy.ts'
import { verifyExport } from '../verify-export.ts'
import { verifyProof } from '../verify-proof.ts'
import { document, exported, historyOf, loanEntry } from './arbitraries.ts'
import { anchored, passkeyPolicyText } from './log.ts'
import { kinds } from './proof-kinds.ts'

const policy = parsePolicy(passkeyPolicyText)
type Step = string | number
type Path = readonly Step[]
type Tree = Record<Step, unknown>

const parentOf = (root: unknown, path: Path): Tree =>
  path.slice(0, -1).reduce<Tree>((value, step) => value[step] as Tree, root as Tree)

function paths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const steps: Step[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return [...(path.length > 0 ? [path] : []), ...steps.flatMap((step) => paths((value as Tree)[step], [...path, step]))]
}

const changed = (made: unknown, change: (tree: Tree) => void): unknown => {
  const tree = structuredClone(made) as Tree
  change(tree)
  return tree
}

/** All ways to forge one member: gone, another value, twice (a member of a list), exchanged with its neighbor. */
function forgeriesAt(made: unknown, path: Path): { how: string; forged: unknown }[] {
  const name = path.at(-1) as Step
  const from = parentOf(made, path)
  const value = from[name]
  const ways: [string, (parent: Tree) => void][] = [
    ['removed', (parent) => (Array.isArray(parent) ? parent.splice(name as number, 1) : delete parent[name])],
    ['null', (parent) => Object.assign(parent, { [name]: null })],
    ['altered', (parent) => Object.assign(parent, { [name]: alteredValue(value) })],
  ]
  if (Array.isArray(from)) {
    ways.push([
      'doubled',
      (parent) => (parent as unknown as unknown[]).splice(name as number, 0, structuredClone(value)),
    ])
    for (let other = (name as number) + 1; other < from.length; other++) {
      ways.push([
        `exchanged with ${other}`,
        (parent) => Object.assign(parent, { [name]: parent[other], [other]: parent[name] }),
      ])
    }
  } else {
    ways.push(['added beside', (parent) => Object.assign(parent, { [`${String(name)}2`]: structuredClone(value) })])
  }
  return ways.map(([how, change]) => ({ how, forged: changed(made, (tree) => change(parentOf(tree, path))) }))
}

function alteredValue(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...value, 'x']
  return value === null ? `sha256:${'0'.repeat(64)}` : { ...(value as object), x: 1 }
}

/** What a reader takes from the file; without members that the verdict itself names as outside of the seal. */
function statement(made: unknown): string | null {
  if (!verifyExport(made).valid) return null
  const { standing, outside, facts, undisclosed, redacted } = verifyProof(made, policy)
  if (standing !== 'holds') return null
  const { evidence, verification } = made as { evidence: Json; verification: Tree }
  const kept = Object.entries(verification).filter(([name]) => !outside.includes(`verification.${name}`))
  const repeated = Object.fromEntries(
    kept.filter(([name]) => !['tlogProof', 'historyProofs', 'bindingProofs'].includes(name)),
  )
  const { cosignedBy: _, ...rest } = facts
  return canonical({ evidence, repeated, facts: rest, undisclosed, redacted } as unknown as Json)
}

/** The same values and fewer disclosed: whoever hands on a file may leave out what the seal lets them leave out. */
function saysLess(made: unknown, genuine: unknown): boolean {
  const before = verifyProof(genuine, policy)
  const after = verifyProof(made, policy)
  return after.undisclosed.length + after.redacted.length > before.undisclosed.length + before.redacted.length
}

type Outcome = 'refused' | 'same' | 'less' | 'earlier'

function outcome(forged: unknown, genuine: unknown, said: string): Outcome | 'another statement' {
  const now = statement(forged)
  if (now === null) return 'refused'
  if (now === said) return 'same'
  const { change } = verifyProof(forged, policy).facts.asOf
  if (change < verifyProof(genuine, policy).facts.asOf.change) return 'earlier'
  return saysLess(forged, genuine) ? 'less' : 'another statement'
}

/** `content`, the hashed text, only repeats what the other members say. */
const withoutContent = (path: Path): boolean => path.join('.') !== 'evidence.content'

describe.each(Object.entries(kinds()))('every field of %s', (_, made) => {
  it('is refused, says the same or less, or an earlier state', { timeout: 300_000 }, () => {
    const said = statement(made)
    if (said === null) throw new Error('the genuine file does not hold')
    const counts: Record<string, number> = {}
    for (const path of paths(made).filter(withoutContent)) {
      for (const { how, forged } of forgeriesAt(made, path)) {
        const found = outcome(forged, made, said)
        if (found === 'another statement') expect.fail(`${path.join('.')} ${how}`)
        counts[found] = (counts[found] ?? 0) + 1
      }
    }
    expect(counts.refused).toBeGreaterThan(200)
    // Only members outside of the seal: four members, each altered.
    expect(counts.same ?? 0).toBeLessThan(20)
    expect(counts.earlier ?? 0).toBe(0)
  })
})

describe('every subset and order of the changes', () => {
  const made = Object.entries(kinds()).flatMap(([name, each]) =>
    (each as unknown as Tree & { evidence: Tree }).evidence.history === undefined ? [] : [[name, each] as const],
  )
  it.each(made)('of %s holds only as a whole or from the beginning', (_, genuine) => {
    const tree = genuine as unknown as { evidence: { history: Tree[] }; verification: { historyProofs: string[] } }
    const { history } = tree.evidence
    const orders = new Map<string, number[]>()
    for (let bits = 0; bits < 2 ** history.length; bits++) {
      const kept = [...history.keys()].filter((at) => (bits >> at) & 1)
      orders.set(kept.join(), kept)
      for (const [one] of kept.entries()) {
        for (let other = one + 1; other < kept.length; other++) {
          const swapped = kept.with(one, kept[other] as number).with(other, kept[one] as number)
          orders.set(swapped.join(), swapped)
        }
      }
    }
    for (const order of orders.values()) {
      const isBeginning = order.every((at, position) => at === position)
      const forged = changed(genuine, (copy) => {
        const { evidence, verification } = copy as unknown as typeof tree & { evidence: Tree; verification: Tree }
        if (order.length === 0) {
          delete (evidence as Tree).history
          delete (verification as Tree).historyProofs
        } else {
          evidence.history = order.map((at) => history[at] as Tree)
          verification.historyProofs = order.map((at) => tree.verification.historyProofs[at] as string)
        }
        showStateOf(evidence as unknown as Tree)
      })
      const { standing, facts, problems } = verifyProof(forged, policy)
      const expected = isBeginning ? 'holds' : 'altered'
      expect([order.join(), standing, problems]).toEqual([order.join(), expected, isBeginning ? [] : expect.anything()])
      if (isBeginning) expect(facts.asOf.change).toBe(order.length)
    }
  })

  /** What a forger shows: the state that the remaining changes say. First values are hidden, for their salts are gone. */
  function showStateOf(evidence: Tree): void {
    const history = (evidence.history ?? []) as Tree[]
    const level = history.findLast(({ type }) => type === 'level')
    const metadata = history.findLast(({ type }) => type === 'metadata')
    if (metadata) evidence.metadata = metadata.metadata
    else delete evidence.metadata
    if (level) evidence.evidenceLevel = level.evidenceLevel
    else if (evidence.sealedLevel !== undefined) evidence.evidenceLevel = evidence.sealedLevel
    else if (!(evidence.disclosures as Tree).evidenceLevel) delete evidence.evidenceLevel
    if (!level) delete evidence.sealedLevel
    const { domain } = evidence.chain as Tree
    evidence.status = domain === 'proof' || evidence.evidenceLevel === 'AUDIT_READY' ? 'sealed' : 'pending'
  }
})

it('any field of any other file is refused, says the same or less, or an earlier state', { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(document, fc.nat(), fc.nat(), (any: ExportDocument, where, which) => {
      const made = JSON.parse(JSON.stringify(anchored(any)))
      const said = statement(made)
      // A name that JSON.parse accepts and the parser of files refuses.
      if (said === null) return
      const every = paths(made).filter(withoutContent)
      const path = every[where % every.length] as Path
      const forgeries = forgeriesAt(made, path)
      const { forged, how } = forgeries[which % forgeries.length] as (typeof forgeries)[number]
      expect([path.join('.'), how, outcome(forged, made, said)]).not.toContain('another statement')
    }),
    { numRuns: 300 },
  )
})

it('a change of another record, or of the same record in another log, does not continue the path', () => {
  const [other] = historyOf(loanEntry() as Parameters<typeof historyOf>[0], [
    { id: 'h9', type: 'metadata', values: { metadata: { note: 'B' } } },
  ])
  for (const made of Object.values(kinds())) {
    const foreign = exported(loanEntry(), { history: [other as NonNullable<typeof other>] }).evidence
    const forged = changed(made, (tree) => {
      const evidence = tree.evidence as Tree
      evidence.history = [...((evidence.history as unknown[]) ?? []), ...(foreign.history as unknown[])]
    })
    expect(verifyProof(forged, policy).standing).toBe('altered')
  }
})
