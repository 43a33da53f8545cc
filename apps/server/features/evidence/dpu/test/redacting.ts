/** Helpers that redact records of a fixture and read what is left. */
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import type { ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'

export const reason = 'The person asked to be forgotten.'

export const dpuId = (id: string): string => id.replace(/^ev[td]_/, 'dpu_')

export interface Redacting {
  redact(id: string, paths: string[], headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer['body']>
  verify(): Promise<object>
}

export function redactingIn({ platform }: ProofFixture): Redacting {
  const get = async (path: string) => (await platform('GET', path)).body
  return {
    redact: (id, paths, headers = {}) => platform('POST', `/api/dpu/${id}/redactions`, { paths, reason }, headers),
    get,
    verify: async () => (await get('/api/dpu/verify-chain?mode=records')).data,
  }
}
