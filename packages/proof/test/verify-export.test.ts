import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../canonical.ts'
import { entryHash } from '../chain.ts'
import { commitment } from '../commitment.ts'
import type { DpuInput } from '../dpu-entry.ts'
import type { ExportDocument } from '../export.ts'
import { verifyExport } from '../verify-export.ts'
import {
  type BuiltEntry,
  chainOf,
  document,
  dpuInput,
  exported,
  historyOf,
  json,
  proofInput,
  sealDpu,
  sealProof,
} from './arbitraries.ts'

type Path = readonly (string | number)[]
type Tree = Record<string | number, unknown>

const copy = (value: ExportDocument): Tree => structuredClone(value) as unknown as Tree
const at = (root: Tree, path: Path): unknown => path.reduce<unknown>((value, step) => (value as Tree)?.[step], root)
const parent = (root: Tree, path: Path): Tree => at(root, path.slice(0, -1)) as Tree
/** Also for the name `__proto__`, as JSON.parse would. */
const set = (root: Tree, path: Path, value: unknown): void => {
  const descriptor = { value, enumerable: true, configurable: true, writable: true }
  Object.defineProperty(parent(root, path), path.at(-1) as string, descriptor)
}
const remove = (root: Tree, path: Path): void => {
  const from = parent(root, path)
  if (Array.isArray(from)) from.splice(path.at(-1) as number, 1)
  else delete from[path.at(-1) as string]
}
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Paths of every member and item, inner and outer. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return [path, ...steps.flatMap((step) => places((value as Tree)[step], [...path, step]))]
}

/** Members about the export itself, which no hash covers. */
const isOutside = (path: Path) => ['', '@context', 'exportedAt', 'verification.verifyUrl'].includes(path.join('.'))

describe('an unaltered export', () => {
  it('is valid, discloses everything and has the hash of its entry', () => {
    fc.assert(
      fc.property(document, (made) => {
        const { evidence } = copy(made) as { evidence: { chain: Tree; history?: Tree[] } }
        const verdict = verifyExport(made)
        expect(verdict).toMatchObject({ valid: true, hash: evidence.chain.hash, problems: [] })
        // The export does not show an initial value that a later entry replaced.
        const changed = evidence.history?.map(({ type }) => type) ?? []
        const moved: unknown[] = [
          changed.includes('level') && 'evidenceLevel',
          changed.includes('metadata') && 'metadata',
        ]
        expect(verdict.undisclosed.filter((path) => !moved.includes(path))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('is valid in any order of its members', () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned)
      if (!isObject(value)) return value
      const members = Object.entries(value as Tree).map(([key, inner]) => [key, turned(inner)] as const)
      return Object.fromEntries(members.toReversed())
    }
    fc.assert(fc.property(document, (made) => verifyExport(turned(made)).valid))
  })
})

describe('reports', () => {
  const changedAt = (made: ExportDocument, which: number, belongs: (path: Path, value: unknown) => boolean) => {
    const changed = copy(made)
    const paths = places(changed).filter((path) => belongs(path, at(changed, path)))
    return { changed, path: paths[which % paths.length] as Path }
  }

  it('any changed value', () => {
    fc.assert(
      fc.property(document, fc.nat(), json, (made, which, other) => {
        const { changed, path } = changedAt(made, which, (each) => !isOutside(each))
        fc.pre(JSON.stringify(at(changed, path)) !== JSON.stringify(other))
        set(changed, path, other)
        expect(verifyExport(changed).valid).toBe(false)
      }),
      { numRuns: 700 },
    )
  })

  it('any changed character of any string', () => {
    fc.assert(
      fc.property(document, fc.nat(), fc.nat(), (made, which, where) => {
        const isText = (path: Path, value: unknown) => typeof value === 'string' && value !== '' && !isOutside(path)
        const { changed, path } = changedAt(made, which, isText)
        const text = at(changed, path) as string
        const index = where % text.length
        const other = `${text.slice(0, index)}${text[index] === 'a' ? 'b' : 'a'}${text.slice(index + 1)}`
        set(changed, path, other.toWellFormed())
        expect(verifyExport(changed).valid).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('any added member, at any depth', () => {
    const known = ['name', 'id', 'output', 'tags', 'reason', 'approval', 'aiContext', 'metadata', 'content', 'history']
    const name = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...known, 'policies', '__proto__', ''))
    fc.assert(
      fc.property(document, fc.nat(), name, json, (made, which, added, value) => {
        const { changed, path } = changedAt(made, which, (_, each) => isObject(each))
        fc.pre(!Object.hasOwn(at(changed, path) as Tree, added))
        set(changed, [...path, added], value)
        expect(verifyExport(changed).valid).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('any single member or item removed', () => {
    // A shorter history is a valid earlier state; the log shows later entries.
    const endsEarlier = (path: Path) => /^evidence\.(content|history(\.\d+)?)$/.test(path.join('.'))
    fc.assert(
      fc.property(document, fc.nat(), (made, which) => {
        const { changed, path } = changedAt(made, which, (each) => each.length > 0 && !endsEarlier(each))
        remove(changed, path)
        expect(verifyExport(changed).valid).toBe(false)
      }),
      { numRuns: 700 },
    )
  })

  it('a replaced commitment with a recomputed hash: the value does not match it', () => {
    fc.assert(
      fc.property(proofInput, (input) => {
        const [entry] = chainOf('proof', [sealProof(input)]) as [BuiltEntry]
        const content = entry.content.replace(/"event.actor.id":"sha256:./, '"event.actor.id":"sha256:0')
        fc.pre(content !== entry.content)
        const forged = { ...entry, content, hash: entryHash(content, entry.previousHash, entry.sealedAt) }
        expect(verifyExport(exported(forged)).problems[0]).toEqual({
          path: 'evidence.event.actor.id',
          code: 'commitment-differs',
          message: "doesn't match its commitment",
        })
      }),
    )
  })

  it('the path and the message of each problem', () => {
    const [entry] = chainOf(
      'proof',
      fc.sample(proofInput, { numRuns: 1, seed: 1 }).map((input) => sealProof(input)),
    )
    const problemOf = (path: Path, value: unknown) => {
      const changed = copy(exported(entry as BuiltEntry))
      set(changed, path, value)
      return verifyExport(changed).problems.map((problem) => `${problem.path} ${problem.message}`)
    }
    expect(problemOf(['evidence', 'event', 'actor', 'id'], 'somebody')).toEqual([
      "evidence.event.actor.id doesn't match its commitment",
      "evidence.actionDigest isn't the digest of the action shown",
    ])
    expect(problemOf(['evidence', 'event', 'place'], 'here')).toEqual([
      'evidence.event.place is neither hashed nor committed: it was added',
    ])
    expect(problemOf(['verification', 'chainIndex'], 99)).toEqual([
      "verification.chainIndex doesn't match the evidence",
    ])
    expect(problemOf(['evidence', 'decisionId'], 'another')).toEqual([
      expect.stringMatching(/^evidence\.chain\.hash differs from the hash of what is shown, sha256:[0-9a-f]{64}$/),
    ])
  })
})

describe('redacted value', () => {
  it('leaves the proof valid and is listed as undisclosed', () => {
    fc.assert(
      fc.property(proofInput, fc.nat(), (input, which) => {
        const [entry] = chainOf('proof', [sealProof(input)]) as [BuiltEntry]
        const gone = Object.keys(entry.salts).filter((_, index) => (which >> index) & 1)
        const kept = <T>(from: Readonly<Record<string, T>>) =>
          Object.fromEntries(Object.entries(from).filter(([path]) => !gone.includes(path)))
        const verdict = { valid: true, hash: entry.hash, problems: [], undisclosed: gone.toSorted() }
        for (const redacted of [
          { ...entry, salts: kept(entry.salts) },
          { ...entry, values: kept(entry.values) },
        ]) {
          const shown = exported(redacted)
          expect(verifyExport(shown)).toMatchObject(verdict)
          for (const path of gone) expect(JSON.stringify(shown)).not.toContain(entry.salts[path])
        }
      }),
    )
  })

  it('cannot be confirmed from the commitment without the salt', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `Patient ${index}`)
    const secret = '7d'.repeat(16)
    const sealed = commitment(secret, 'event.actor.name', 'Patient 17')
    expect(names.some((name) => commitment('00'.repeat(16), 'event.actor.name', name) === sealed)).toBe(false)
    expect(names.find((name) => commitment(secret, 'event.actor.name', name) === sealed)).toBe('Patient 17')
  })
})

describe('never throws', () => {
  const refuses = () => {
    throw new Error('no')
  }
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a number', 1],
    ['a list', []],
    ['an empty object', {}],
    ['an entry without members', { evidence: { chain: { domain: 'proof' } } }],
    ['an object that throws when it is read', new Proxy({}, { ownKeys: refuses })],
  ])('on %s', (_, value) => {
    expect(verifyExport(value)).toMatchObject({ valid: false, hash: null })
  })

  it('on nesting deeper than the stack', () => {
    let deep: Json = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const [entry] = chainOf(
      'proof',
      fc.sample(proofInput, 1).map((input) => sealProof(input)),
    )
    const changed = copy(exported(entry as BuiltEntry))
    set(changed, ['evidence', 'policies'], deep)
    expect(verifyExport(changed)).toMatchObject({ valid: false, hash: null })
  })

  it('on any value, alone or inside a proof', () => {
    fc.assert(
      fc.property(fc.anything(), document, fc.nat(), (anything, made, which) => {
        expect(verifyExport(anything).valid).toBe(false)
        const changed = copy(made)
        const paths = places(made).filter((path) => path.length > 0)
        set(changed, paths[which % paths.length] as Path, anything)
        expect(verifyExport(changed)).toHaveProperty('valid')
      }),
      { numRuns: 300 },
    )
  })
})

it('accepts a change with an earlier time than the record: each chain has its own clock', () => {
  const [input] = fc.sample(dpuInput, { numRuns: 1, seed: 1 }) as [DpuInput]
  const by = { by: {}, evidenceLevel: 'AUDIT_READY' }
  const change = { id: 'his_1', type: 'level' as const, values: by }
  const [record] = chainOf('dpu', [sealDpu(input)], 5) as [BuiltEntry]
  const [later] = historyOf(record, [change]) as [BuiltEntry]
  expect(later.sealedAt < record.sealedAt).toBe(true)
  expect(verifyExport(exported(record, { history: [later] }))).toMatchObject({ valid: true })
})
