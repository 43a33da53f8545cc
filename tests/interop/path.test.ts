/** The vectors of action digests and paths of changes are fresh, and code in TypeScript, Python and Go agrees with them. */
import { canonical } from '@countersign/proof/canonical.ts'
import { exported } from '@countersign/proof/test/arbitraries.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { describe, expect, it } from 'vitest'
import { root } from '../docs/blocks.ts'
import { askGo, describeWith } from './other-programs.ts'
import { pathVectors } from './path-vectors.ts'
import { askPython, runWithChecker } from './python.ts'

const vectors = pathVectors()
const pathOf = ({ path }: { readonly path: string }): string => path

describe('the vectors', () => {
  it('are fresh (`npx vitest run tests/interop/path.test.ts -u` writes them)', async () => {
    await expect(`${JSON.stringify(vectors, null, 2)}\n`).toMatchFileSnapshot(`${root}docs/formats/dpu-chain-v1.json`)
  })

  it('have the same digests of actions in Python', async () => {
    const program = `
from check_exports import canonical, read_json, sha256
vectors = read_json(sys.stdin.buffer.read().decode())
for each in vectors["actionDigests"]:
    hashed = {name: each["event"][name] for name in vectors["decision"]["digested"] if name in each["event"]}
    assert sha256(canonical({"salt": each["actionSalt"], **hashed})) == each["actionDigest"], each
`
    await runWithChecker(program, [JSON.stringify(vectors)])
  })
})

describe('the checkers of exports', () => {
  const { paths, entries } = vectors
  const stored = (name: string) => {
    const entry = entries[name] as (typeof entries)[string]
    return { ...entry, content: canonical(entry.content) }
  }
  const cases = paths.flatMap(({ about, unit, changes, found }) =>
    unit === null ? [] : [{ about, found, document: exported(stored(unit), { history: changes.map(stored) }) }],
  )

  it.each(cases)('in TypeScript: $about', ({ document, found }) => {
    const { valid, problems } = verifyExport(document)
    const [, misfit = null] = /history\.(\d+\.(?:previous|state))\n/.exec(`${problems.map(pathOf).join('\n')}\n`) ?? []
    expect([valid, misfit]).toEqual([found === null, found])
  })

  it('in Python', async () => {
    const judged = await askPython(cases.map(({ document }) => JSON.stringify(document)))
    expect(judged.map(({ valid }) => valid)).toEqual(cases.map(({ found }) => found === null))
  })
})

describeWith(['go'], 'the vectors in Go', () => {
  it('have the same digests of actions', async () => {
    const { actionDigests, decision } = vectors
    const cases = actionDigests.map((each) => ({ ...each, digested: decision.digested }))
    expect(await askGo('action-digest', cases)).toEqual(actionDigests.map(({ actionDigest }) => actionDigest))
  })

  it('have the same paths, gaps and states', async () => {
    const { paths, entries } = vectors
    const cases = paths.map(({ unit, changes }) => ({
      unit: unit === null ? null : entries[unit],
      changes: changes.map((name) => entries[name]),
    }))
    expect(await askGo('path', cases)).toEqual(paths.map(({ found }) => found))
  })
})
