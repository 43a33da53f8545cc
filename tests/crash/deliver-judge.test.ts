/** The checks of `npm run chaos -- deliver` detect the faults that they exist for. */
import { describe, expect, it } from 'vitest'
import { duplicateJudge, ledgerFaults, mostAgain, silences } from './deliver-judge.ts'
import type { Disturbance, Ground } from './deliver-setup.ts'

const kill = (at: number, over: Partial<Disturbance> = {}): Disturbance => ({
  ...{ what: 'a kill', at, round: 1, unrecorded: new Set(), epochs: [1] },
  ...over,
})

/** One endpoint; events were acknowledged at these times. */
const groundOf = (acked: Record<string, number>, disturbances: Disturbance[] = []) =>
  ({
    acknowledged: new Map(Object.entries(acked).map(([id, ackedAt]) => [id, { ackedAt, endpoints: 1 }])),
    published: new Set(Object.keys(acked)),
    disturbances,
  }) as unknown as Ground

describe('acknowledged and received events', () => {
  it('match when there is no fault', () => {
    expect(ledgerFaults(groundOf({ a: 1, b: 2 }), { arrivals: [[3, 4]], takenAt: [{ a: 3, b: 4 }] })).toEqual([])
  })

  it('differ when an event is missing or was never published', () => {
    const faults = ledgerFaults(groundOf({ a: 1, b: 2 }), { arrivals: [[3, 4]], takenAt: [{ a: 3, c: 4 }] })
    expect(faults).toEqual(['b was acknowledged and never taken by 0', 'endpoint 0 took c, which was never published'])
  })
})

describe('an event that arrives twice', () => {
  const again = (eventId: string, at = 20_000) => ({ endpoint: 0, eventId, takenAt: 900, at })

  it('is explained by a kill before which its delivery was not recorded', () => {
    const judge = duplicateJudge(groundOf({ a: 1 }, [kill(1000, { unrecorded: new Set(['0 a']) })]))
    expect(judge.judge([again('a')])).toEqual([])
    expect(judge.result()).toEqual({ total: 1, most: 1 })
  })

  it('is a fault when its delivery was recorded, or sent after the kill, or the kill came later', () => {
    const judge = duplicateJudge(groundOf({ a: 1 }, [kill(1000, { unrecorded: new Set(['0 a', '1 b']) })]))
    expect(judge.judge([again('b')])).toHaveLength(1)
    expect(judge.judge([again('a', 950)])).toHaveLength(1)
    expect(judge.judge([{ ...again('a'), takenAt: 4000 }])).toHaveLength(1)
  })

  it('is a fault when more events arrive twice than a delivery worker can hold', () => {
    const ids = Array.from({ length: mostAgain + 1 }, (_, i) => `e${i}`)
    const judge = duplicateJudge(groundOf({}, [kill(1000, { unrecorded: new Set(ids.map((id) => `0 ${id}`)) })]))
    expect(judge.judge(ids.slice(1).map((id) => again(id)))).toEqual([])
    expect(judge.judge([again('e0')])).toHaveLength(1)
  })
})

describe('the idle time of an endpoint', () => {
  const silence = (acked: Record<string, number>, kills: Disturbance[], arrivals: number[], taken = {}) =>
    silences(groundOf(acked, kills), { arrivals: [arrivals], takenAt: [taken] })[0]?.ms

  it('counts from the kill when an event was due, and otherwise from the due time', () => {
    expect(silence({ a: 500 }, [kill(1000)], [900, 19_000], { a: 19_000 })).toBe(18_000)
    expect(silence({ a: 500, b: 15_000 }, [kill(1000)], [900, 19_000], { a: 900, b: 19_000 })).toBe(4000)
  })

  it('counts from a second kill only when the killed worker had taken over the endpoint', () => {
    const later = (epoch: number) => [kill(1000), kill(9000, { epochs: [epoch] })]
    expect(silence({ a: 500 }, later(1), [20_000], { a: 20_000 })).toBe(19_000)
    expect(silence({ a: 500 }, later(2), [20_000], { a: 20_000 })).toBe(11_000)
  })
})
