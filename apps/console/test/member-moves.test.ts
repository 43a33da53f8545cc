/** A button that the server would always refuse isn't shown, and a move that an administrator can make isn't missing. */
import { membershipMoves } from '@countersign/contract/moves.ts'
import { expect, it } from 'vitest'
import { moves } from '../areas/center/member-moves.ts'

it.each(Object.entries(moves))(
  'a member with the status %s is offered what an administrator can do',
  (status, offered) => {
    const possible = Object.entries(membershipMoves)
      .filter(([, { from, by }]) => by !== 'the member' && (from as readonly string[]).includes(status))
      .map(([move]) => move)
    expect(offered.toSorted()).toEqual(possible.toSorted())
  },
)
