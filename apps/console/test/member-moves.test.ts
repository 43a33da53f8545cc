/** A button that the server would always refuse isn't shown, and a move that an administrator can make isn't missing. */
import { membershipMoves } from '@countersign/contract/moves.ts'
import { expect, it } from 'vitest'
import { moves, offered, returnOf } from '../areas/center/member-moves.ts'

it.each(Object.entries(moves))(
  'a member with the status %s is offered what an administrator can do',
  (status, offered) => {
    const possible = Object.entries(membershipMoves)
      .filter(([, { from, by }]) => by !== 'the member' && (from as readonly string[]).includes(status))
      .map(([move]) => move)
    expect(offered.toSorted()).toEqual(possible.toSorted())
  },
)

const gone = { status: 'ENDED', role: 'CHILD', email: '', actorId: '01a1e13b-0ada-789a-9769-83a301289259' } as const

it.each([
  ['whoever has an address is invited again', { ...gone, email: 'kim@haneul.example' }, 'reinvite', ['reinvite']],
  ['a client without one is admitted again', gone, 'readmit', []],
  ['nobody else without one comes back', { ...gone, role: 'INSTRUCTOR' }, 'none', []],
  ['a member who is here needs neither', { ...gone, status: 'ACTIVE' }, null, ['suspend', 'end']],
] as const)('%s', (_, member, back, buttons) => {
  expect([returnOf(member), offered(member)]).toEqual([back, buttons])
})
