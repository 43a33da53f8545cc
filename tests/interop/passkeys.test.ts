/** The frozen files with approvals and raises of passkeys get the same verdict in every later version, in TypeScript and in Python. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '@countersign/proof/canonical.ts'
import type { ApprovalFacts } from '@countersign/proof/decision-facts.ts'
import { parseExactly } from '@countersign/proof/parse.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, expect, it } from 'vitest'
import { softwareAuthenticator } from '../support/authenticator.ts'
import { askPython, runWithChecker } from './python.ts'

interface Vectors {
  readonly policy: string
  readonly files: readonly {
    readonly standing: string
    readonly passkeys?: readonly string[]
    readonly raises?: readonly string[]
    readonly document: Json
  }[]
}
const { policy, files } = parseExactly(
  readFileSync(new URL('../../docs/formats/passkeys.json', import.meta.url), 'utf8'),
) as unknown as Vectors
const expected = files.map(({ standing, passkeys = [], raises = [] }) => [standing, passkeys, raises])
const folder = mkdtempSync(join(tmpdir(), 'passkeys-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('in TypeScript', () => {
  const trusted = parsePolicy(policy)
  const found = files.map(({ document }) => {
    const { standing, facts } = verifyProof(document, trusted)
    const statusOf = ({ passkey }: ApprovalFacts) => passkey?.status ?? null
    return [standing, (facts.decision?.approvals ?? []).map(statusOf), facts.raises.map(statusOf)]
  })
  expect(found).toEqual(expected)
})

it('in Python', { timeout: 60_000 }, async () => {
  const path = join(folder, 'policy.txt')
  writeFileSync(path, policy)
  const lines = files.map(({ document }) => JSON.stringify(document))
  const verdicts = await askPython(lines, '--trust', path)
  expect(verdicts.map(({ standing, passkeys, raises }) => [standing, passkeys, raises])).toEqual(expected)
})

it('in Python without a library the signatures of authenticators verify, and altered ones do not', {
  timeout: 60_000,
}, async () => {
  const lines = (['ES256', 'EdDSA', 'RS256'] as const).flatMap((algorithm) =>
    Array.from({ length: algorithm === 'RS256' ? 3 : 10 }, () => {
      const { key, assert } = softwareAuthenticator({ algorithm })
      return JSON.stringify({ key, ...assert(new Uint8Array(32)) })
    }),
  )
  const program = `
import hashlib, json
from countersign.proof import _passkeys as passkeys
passkeys.library = None
for line in sys.stdin:
    each = json.loads(line)
    data, client, signature = (passkeys.unbase64url(each[name]) for name in ("authenticatorData", "clientDataJSON", "signature"))
    message = data + hashlib.sha256(client).digest()
    other = signature[:-1] + bytes([signature[-1] ^ 1])
    assert passkeys.verifies(each["key"], message, signature) is True
    assert passkeys.verifies(each["key"], message, other) is False
    assert passkeys.verifies(each["key"], message + b"x", signature) is False
`
  await runWithChecker(program, lines)
})
