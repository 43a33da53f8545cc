/** The vectors of action digests and paths of changes are fresh, and three languages agree with them. */
import { describe, expect, it } from 'vitest'
import { root } from '../docs/blocks.ts'
import { askGo, describeWith } from './other-programs.ts'
import { pathVectors } from './path-vectors.ts'
import { runWithChecker } from './python.ts'

const vectors = pathVectors()

describe('the vectors', () => {
  it('are fresh (`npx vitest run tests/interop/path.test.ts -u` writes them)', async () => {
    await expect(`${JSON.stringify(vectors, null, 2)}\n`).toMatchFileSnapshot(`${root}docs/formats/dpu-chain-v1.json`)
  })

  it('hold in Python', async () => {
    const program = `
import json
from check_exports import canonical, commitment, entry_hash, read_json, sha256
vectors = read_json(sys.stdin.buffer.read().decode())
for each in vectors["actionDigests"]:
    names = ("type", "actor", "action", "aiContext", "riskScore", "reason")
    hashed = {name: each["event"][name] for name in names if name in each["event"]}
    assert sha256(canonical({"salt": each["actionSalt"], **hashed})) == each["actionDigest"], each
def opened(entry):
    content = entry["content"]
    assert entry_hash(canonical(content), entry["previousHash"], entry["sealedAt"]) == entry["hash"], entry
    for path, value in entry["values"].items():
        assert commitment(entry["salts"][path], path, value) == content["commitments"][path], (path, entry)
    return content
def misfit(unit, changes):
    previous, level, metadata = None, None, None
    if unit is not None:
        content = opened(unit)
        previous, metadata = unit["hash"], content["commitments"].get("metadata")
        level = content.get("evidenceLevel", unit["values"].get("evidenceLevel"))
    for position, change in enumerate(changes):
        content = opened(change)
        if content["previous"] != previous:
            return "%d.previous" % position
        previous = change["hash"]
        if content["type"] == "level":
            level = change["values"]["evidenceLevel"]
        if content["type"] == "metadata":
            metadata = content["commitments"]["metadata"]
        left = {"evidenceLevel": level, "metadata": metadata}
        if content["type"] == "policy":
            left = {"policy": content["commitments"]["policy"]}
        if sha256(canonical(left)) != content["state"]:
            return "%d.state" % position
for each in vectors["paths"]:
    entries = vectors["entries"]
    found = misfit(entries.get(each["unit"]), [entries[name] for name in each["changes"]])
    assert found == each["found"], each["about"]
`
    await runWithChecker(program, [JSON.stringify(vectors)])
  })
})

describeWith(['go'], 'the vectors in Go', () => {
  it('have the same digests of actions', async () => {
    const { actionDigests } = vectors
    expect(await askGo('action-digest', actionDigests)).toEqual(actionDigests.map(({ actionDigest }) => actionDigest))
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
