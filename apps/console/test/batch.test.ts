/** What a batch puts side by side: every value of every decision is in it once, and what cannot be in it is named. */
import {
  type DecisionView,
  decisionView,
  type ShownValue,
  type ViewedDecision,
} from '@countersign/proof/decision-view.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apartOf, columnsOf, groupsOf, type Taken } from '../areas/inbox/batch.ts'

const viewOf = (input: object, more: object = {}): DecisionView =>
  decisionView(
    {
      type: 'ai_recommendation',
      actor: { id: 'a', type: 'ai_agent' },
      action: { type: 'refund.pay', description: 'Refund 82,000 won', input },
      ...more,
    } as ViewedDecision,
    'en',
  )

it('every value of every row is in what all have or in its row', () => {
  const inputs = fc.array(
    fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.oneof(fc.integer({ max: 2, min: 0 }), fc.constantFrom('x', '1')),
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  fc.assert(
    fc.property(inputs, (all) => {
      const rows = all.map((input) => viewOf(input).others)
      const { same, heads, cells } = columnsOf(rows)
      const textOf = ({ path, text, kind }: ShownValue) => `${path} ${kind} ${text}`
      for (const [at, values] of rows.entries()) {
        const found = [...same, ...(cells[at] ?? []).flatMap((cell) => cell ?? [])].map(textOf)
        expect(found.toSorted()).toEqual(values.map(textOf).toSorted())
        expect(cells[at]).toHaveLength(heads.length)
      }
    }),
  )
})

const taken = (more: { opened?: boolean; decision?: object; input?: object } = {}): Taken =>
  ({
    item: { eventId: 'evt_1', opened: more.opened ?? true },
    decision: {
      status: 'recorded',
      action: { type: 'refund.pay' },
      approvals: [],
      waiting: { policies: [{ id: 'pol_1' }], rules: [{ identity: 'session' }], reasons: ['humanReview'] },
      ...more.decision,
    },
    view: viewOf(more.input ?? { amount: 1 }),
  }) as unknown as Taken

describe('what cannot be in a batch', () => {
  const waiting = (over: object) => ({
    waiting: { policies: [{ id: 'pol_1' }], rules: [{ identity: 'session' }], reasons: ['humanReview'], ...over },
  })
  const approval = (id: string, more = {}) => ({ approvals: [{ approver: { id }, ...more }] })
  it.each([
    [{}, null],
    [{ opened: false }, 'notOpened'],
    [{ decision: waiting({ rules: [{ identity: 'passkey' }] }) }, 'passkey'],
    [{ decision: waiting({ reasons: ['dualApproval'] }) }, 'two'],
    [{ decision: approval('another') }, 'two'],
    [{ decision: approval('me') }, 'mine'],
    [{ decision: waiting({ rules: [] }) }, 'changed'],
    [{ decision: { status: 'sealed' } }, 'changed'],
    [{ decision: { waiting: null } }, 'changed'],
    [{ input: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at])) }, 'tooMuch'],
  ] as const)('%j: %s', (more, why) => {
    const own = taken(more)
    expect(apartOf(own.item, own, 'me')).toBe(why)
  })

  it('is also what was not read any more', () => {
    expect(apartOf(taken().item, null, 'me')).toBe('more')
  })
})

it('decisions of another type have columns of their own', () => {
  const other = { ...taken(), decision: { ...taken().decision, action: { type: 'booking.move' } } } as Taken
  expect(groupsOf([taken(), other, taken()]).map(({ type, rows }) => [type, rows.length])).toEqual([
    ['refund.pay', 2],
    ['booking.move', 1],
  ])
})
