/** docs/formats/dpu-chain-v1.md matches the code. */
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { entryHash } from '@countersign/proof/chain.ts'
import { commitment } from '@countersign/proof/commitment.ts'
import { mostPrior, priorName } from '@countersign/proof/control.ts'
import { type ProofEvent, sealedPaths } from '@countersign/proof/decision-fields.ts'
import { bookkeeping, layouts } from '@countersign/proof/layout.ts'
import { parseExactly } from '@countersign/proof/parse.ts'
import type { ApprovalStatement } from '@countersign/proof/passkey.ts'
import { proofValues } from '@countersign/proof/proof-entry.ts'
import { contentOf, entries } from '@countersign/proof/test/worked-example.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { expect, it } from 'vitest'
import { blocksOf, read } from '../docs/blocks.ts'
import { askPython } from './python.ts'

const page = read('docs/formats/dpu-chain-v1.md')
const block = (label: string): string => {
  const found = blocksOf(page).find((each) => each.label === label)
  if (!found) throw new Error(`the page has no block "${label}"`)
  return found.text.trimEnd()
}
const section = (heading: string): string => page.split(/^#{2,3} /m).find((part) => part.startsWith(heading)) ?? ''

it('has the right commitment in the worked example', () => {
  const written = block('commitment')
  const [salt, path, value] = JSON.parse(written) as [string, string, Json]
  expect(canonical([salt, path, value])).toBe(written)
  expect(page).toContain(`Its hash is \`${commitment(salt, path, value)}\`.`)
})

it('has the right preimage and both hashes in the worked example', () => {
  const [first, second] = entries
  const preimage = block('preimage')
  expect(preimage).toBe(canonical(contentOf(0)) + first.sealedAt)
  expect(page).toContain(`one line of ${Buffer.byteLength(preimage)} bytes`)
  expect(section('Worked example')).toContain(entryHash(canonical(contentOf(0)), null, first.sealedAt))
  expect(section('Worked example')).toContain(entryHash(canonical(contentOf(1)), first.hash, second.sealedAt))
})

it('has an export that verifies, here and in Python', async () => {
  const document = parseExactly(block('export'))
  expect(verifyExport(document)).toMatchObject({ valid: true, problems: [], undisclosed: [] })
  expect(await askPython([JSON.stringify(document)])).toMatchObject([{ valid: true }])
})

const everyMember: Record<string, unknown> = {}
for (const { field, member } of sealedPaths) {
  everyMember[field] = member === null ? '' : { ...(everyMember[field] as object | undefined), [member]: '' }
}

it('names every committed path of a decision, and no other', () => {
  const signed = { binding: '', historySize: 0, authenticatorData: '', clientDataJSON: '', signature: '' }
  const everything = proofValues({
    event: everyMember as unknown as ProofEvent,
    approval: {
      approver: { id: '', type: '', name: '' },
      result: '',
      reason: '',
      submittedBy: '',
      identity: { level: 'claim', by: '' },
      onBehalfOf: '',
      passkey: { ...signed, statement: {} as ApprovalStatement },
      reasonSalt: '',
    },
    priorApprovals: [],
    prior: Array.from({ length: mostPrior }, () => ({ approval: {}, control: {}, salt: '' })),
    control: { rules: { index: null, digest: '' } },
    statement: {} as ApprovalStatement,
    vertical: '',
    country: '',
    region: '',
    actionSalt: '',
  })
  const [, listed = ''] = section('Domain `proof`').split('These values are committed if they are present:')
  const [first, last] = ['prior0', priorName(mostPrior - 1)]
  expect(listed).toContain(`\`${first}\` to \`${last}\``)
  const between = Array.from({ length: mostPrior - 2 }, (_, at) => priorName(at + 1))
  const paths = [...[...listed.matchAll(/`([\w.]+)`/g)].map(([, path]) => path), ...between]
  expect(paths.sort()).toEqual(Object.keys(everything).sort())
})

it('names every member that is hashed unchanged', () => {
  const every = section('Entries') + section('Domain `proof`') + section('Domain `dpu`') + section('Domain `history`')
  for (const { hashed, optional } of Object.values(layouts)) {
    for (const path of [...hashed, ...optional]) {
      const name = path.replace(/^(event|approval)\./, '')
      expect(every, path).toContain(`\`${name}\``)
    }
  }
  for (const name of bookkeeping) expect(section('Exports')).toContain(`\`${name}\``)
})
