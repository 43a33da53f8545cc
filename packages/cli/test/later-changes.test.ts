import { describe, expect, it } from 'vitest'
import type { BuiltEntry } from '../../proof/test/arbitraries.ts'
import {
  approvalBy,
  bindingsOf,
  bound,
  decisionBy,
  firstStatementOf,
  keys,
  priorBy,
  raisedBy,
} from '../../proof/test/passkeys.ts'
import { approvalOf } from '../../proof/test/proof-kinds.ts'
import { collectChanges } from '../later-changes.ts'

const removed = { action: 'removed', actorId: 'act_ada', by: { id: 'act_ada' } }
const entries = bindingsOf([
  bound('psk_ada', 'act_ada', keys.ada, { how: 'operator' }),
  { key: 'psk_ada', values: removed, confirmed: 'operator', passkey: 'removed' },
])
const [binding, removal] = entries as [BuiltEntry, BuiltEntry]

it('a removal of the passkey before a raise is found', () => {
  const changes = collectChanges()
  for (const entry of entries) changes.watch(entry)
  const made = raisedBy(keys.ada, [binding])
  const found = changes.after(made, 'proof.example/c/42/history')
  expect(found).toMatchObject([{ type: 'passkey', at: removal.sealedAt }])
})

it.each([
  ['before the approval is found', removal.index + 1, [{ type: 'passkey', at: removal.sealedAt }]],
  ['after the approval changes nothing', removal.index, []],
])('a removal of the passkey %s', (_, historySize, found) => {
  const changes = collectChanges()
  for (const entry of entries) changes.watch(entry)
  const made = decisionBy(approvalBy('act_ada', keys.ada, binding, { historySize }), [binding])
  expect(changes.after(made, 'proof.example/c/42/history')).toMatchObject(found)
  expect(changes.after(made, 'proof.example/c/42/history')).toHaveLength(found.length)
})

describe('a removal of the passkey of an earlier approval', () => {
  const changes = collectChanges()
  for (const entry of entries) changes.watch(entry)
  const found = (made: object) => changes.after(made, 'proof.example/c/42/history')
  const earlier = (first = false) =>
    approvalBy('act_ada', keys.ada, binding, {
      historySize: removal.index + 1,
      ...(first && { statement: firstStatementOf('act_ada') }),
    })
  const removalFound = [{ type: 'passkey', at: removal.sealedAt }]

  it('is found in a record of 0.1.0 and in one of today', () => {
    const listed = JSON.parse(JSON.stringify([earlier(true)]))
    expect(found(decisionBy(approvalOf('session'), [binding], { priorApprovals: listed }))).toMatchObject(removalFound)
    const prior = [priorBy(approvalOf('claim')), priorBy(earlier(), 1)]
    expect(found(decisionBy(approvalOf('session'), [binding], { prior }))).toMatchObject(removalFound)
  })

  it('does not matter where the approval did not count, or is not shown', () => {
    const prior = [priorBy(earlier(), 0, { control: { void: 'key' } })]
    const made = decisionBy(approvalOf('session'), [binding], { prior })
    expect(found(made)).toEqual([])
    const { prior0: _, ...evidence } = made.evidence
    expect(found({ ...made, evidence })).toEqual([])
  })
})
