import { expect, it } from 'vitest'
import type { BuiltEntry } from '../../proof/test/arbitraries.ts'
import { approvalBy, bindingsOf, bound, decisionBy, keys, raisedBy } from '../../proof/test/passkeys.ts'
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
