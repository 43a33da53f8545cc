/** A JSON-LD processor drops members that a context does not define. It must not drop any member of a proof. */
import { contextAddress, contextDocument } from '@countersign/proof/context.ts'
import type { ExportDocument } from '@countersign/proof/export.ts'
import { document } from '@countersign/proof/test/arbitraries.ts'
import { sealedLine } from '@countersign/proof/test/lines.ts'
import { anchored } from '@countersign/proof/test/log.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import fc from 'fast-check'
import jsonld from 'jsonld'
import { describe, expect, it } from 'vitest'

const address = contextAddress('https://schema.example')
const documentLoader = async (url: string) => {
  if (url !== address) throw new Error(`the proof asks for ${url}`)
  return { contextUrl: null, documentUrl: url, document: contextDocument('https://schema.example') }
}
const options = { documentLoader, safe: true }
type Tree = Record<string, unknown>
const expand = (made: ExportDocument): Promise<Tree[]> => jsonld.expand(made as unknown as Tree, options)

const samples = fc
  .sample(document, { numRuns: 150, seed: 20_261_115 })
  .map((made, at) => (at % 3 === 0 ? withEverything(made) : made))

/** A proof with the statements of its log and a time-stamp. */
function withEverything(made: ExportDocument): ExportDocument {
  const { verification, ...rest } = anchored(made)
  return { ...rest, verification: { ...verification, anchoring: 'timestamped', timestamp: 'AAAA' } }
}

describe('a proof processed by a JSON-LD processor', () => {
  it('is expanded and compacted to the same document, and still verifies', async () => {
    for (const made of samples) {
      const back = await jsonld.compact(await expand(made), address, options)
      expect(back).toEqual(made)
      expect(verifyExport(back).valid).toBe(true)
    }
  })

  it('keeps every value when it is flattened', async () => {
    for (const made of samples) {
      const flat = await jsonld.flatten(made as unknown as Tree, undefined, options)
      expect(leaves(flat)).toEqual(expect.arrayContaining(leaves(await expand(made))))
    }
  })

  it('has a term for every member', async () => {
    const terms = Object.keys(contextDocument('https://schema.example')['@context'])
    for (const { evidence, verification } of samples) {
      const used = [...names(evidence), ...names(verification)]
      expect(used.filter((name) => !terms.includes(name))).toEqual([])
    }
  })
})

it('keeps the texts of policies, one or several', async () => {
  for (const count of [1, 2]) {
    const policies = Array.from({ length: count }, (_, at) => ({
      ...{ id: `pol_${at}`, version: 1, body: { guards: { policyRequired: true }, name: `${at}` } },
    }))
    const made = sealedLine({ policies, given: [{ id: 'act_ahn', level: 'session' }] })
    expect(made.policyTexts).toHaveLength(count)
    const back = await jsonld.compact(await expand(made), address, options)
    expect([back, verifyExport(back).problems]).toEqual([made, []])
  }
})

it('the vocabulary has the address at which the context is served', () => {
  const context = contextDocument('https://other.example/schema')['@context'] as Record<string, Tree>
  expect(context.evidence?.['@id']).toBe('https://other.example/schema/decision-proof/v2#evidence')
})

/** Values and JSON literals, as text, sorted. */
function leaves(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leaves).sort()
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)]
  if ('@value' in value) return [JSON.stringify(value)]
  return Object.entries(value)
    .flatMap(([key, inner]) => (key === '@id' ? [] : leaves(inner)))
    .sort()
}

/** Member names, except inside members that hold any JSON. */
function names(value: unknown): string[] {
  const opaque = [
    'input',
    'output',
    'priorApprovals',
    'commitments',
    'disclosures',
    'createdBy',
    'metadata',
    'responsibility',
    'history',
    'control',
    'prior0',
    'prior1',
    'prior2',
  ]
  if (Array.isArray(value)) return value.flatMap(names)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...(opaque.includes(name) ? [] : names(inner))])
}
