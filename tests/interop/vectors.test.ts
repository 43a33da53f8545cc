/** The frozen vectors: a valid proof stays valid in every later version, for the TypeScript verifier and for Python. */
import { readFileSync } from 'node:fs'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { commitment } from '@countersign/proof/commitment.ts'
import { parseExactly } from '@countersign/proof/parse.ts'
import { type ChainEntry, chainVerifier } from '@countersign/proof/verify-chain.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { describe, expect, it } from 'vitest'
import { askPython, runWithChecker } from './python.ts'

interface Vectors {
  readonly numbers: readonly (readonly [bits: string, text: string])[]
  readonly canonical: readonly { readonly value: Json; readonly text: string }[]
  readonly commitment: {
    readonly salt: string
    readonly path: string
    readonly value: Json
    readonly commitment: string
  }
  readonly chain: readonly ChainEntry[]
  readonly exports: readonly {
    readonly about: string
    readonly hash: string
    readonly undisclosed: readonly string[]
    readonly document: Json
  }[]
  readonly broken: readonly { readonly about: string; readonly problem: string; readonly document: Json }[]
}
const file = readFileSync(new URL('./vectors.json', import.meta.url), 'utf8')
const vectors = parseExactly(file) as unknown as Vectors
const lines = (all: readonly { readonly document: Json }[]) => all.map(({ document }) => JSON.stringify(document))

describe('in TypeScript', () => {
  it.each(vectors.numbers)('the double %s is written %s', (bits, text) => {
    expect(canonical(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text)
  })

  it('canonical texts and the commitment', () => {
    for (const { value, text } of vectors.canonical) expect(canonical(value)).toBe(text)
    const { salt, path, value, commitment: expected } = vectors.commitment
    expect(commitment(salt, path, value)).toBe(expected)
  })

  it('the chain', () => {
    const verifier = chainVerifier({ log: 'proof.example/c/42', domain: 'proof' })
    for (const entry of vectors.chain) verifier.add(entry)
    expect(verifier.result()).toMatchObject({
      valid: true,
      chainLength: 2,
      genesisHash: 'sha256:147cb18dcb64f4150c43899fe10f72e6df737e027d99ed1f826a2b86fcb57990',
      headHash: 'sha256:72762d80126f571cf1d871d414a4f4685c86084664d9e7a9a8fd81a039051827',
    })
  })

  it.each(vectors.exports)('valid: $about', ({ document, hash, undisclosed }) => {
    expect(verifyExport(document)).toMatchObject({ valid: true, hash, problems: [], undisclosed })
  })

  it.each(vectors.broken)('broken: $about', ({ document, problem }) => {
    const { valid, problems } = verifyExport(document)
    expect(valid).toBe(false)
    expect(problems.map(({ path }) => path)).toContain(problem)
  })
})

describe('in Python', () => {
  it('numbers, canonical texts and the commitment', async () => {
    const program = `
import json, struct
from check_exports import canonical, commitment, number_text, read_json
vectors = read_json(sys.stdin.buffer.read().decode())
for bits, text in vectors["numbers"]:
    assert number_text(struct.unpack(">d", bytes.fromhex(bits))[0]) == text, (bits, text)
for pair in vectors["canonical"]:
    assert canonical(pair["value"]) == pair["text"], pair
one = vectors["commitment"]
assert commitment(one["salt"], one["path"], one["value"]) == one["commitment"]
`
    await runWithChecker(program, [file])
  })

  it('the chain', async () => {
    const entries = vectors.chain.map((entry) => JSON.stringify(entry))
    expect(await askPython(entries, '--chain')).toMatchObject([{ valid: true, headHash: vectors.chain[1]?.hash }])
  })

  it('valid and broken exports', async () => {
    const valid = await askPython(lines(vectors.exports))
    expect(valid).toMatchObject(vectors.exports.map(({ hash }) => ({ valid: true, problems: [], hash })))
    const broken = await askPython(lines(vectors.broken))
    expect(broken.map((verdict) => verdict.valid)).toEqual(vectors.broken.map(() => false))
  })
})
