/** The exported proofs in the API reference are real: they verify offline with the log key of the same examples. */
import { openApiDocument } from '@countersign/contract/openapi.ts'
import { parsePolicy, verifyProof } from '@countersign/proof'
import { expect, it } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: a document, looked into
const { paths } = openApiDocument() as any
const example = (path: string) => {
  const [content] = Object.values(paths[path].get.responses[200].content) as { example: unknown }[]
  return content?.example
}
const { policy } = example('/.well-known/countersign-log.json') as { policy: string }

it.each(['/api/v1/evidence/{id}/export', '/api/dpu/{id}/export'])('the example of %s is a valid proof', (path) => {
  expect(verifyProof(example(path), parsePolicy(policy))).toMatchObject({ ok: true })
})

it('the example with one changed character is not a valid proof', () => {
  const text = JSON.stringify(example('/api/v1/evidence/{id}/export')).replace('Two sessions', 'Ten sessions')
  expect(verifyProof(JSON.parse(text), parsePolicy(policy))).toMatchObject({ ok: false })
})
