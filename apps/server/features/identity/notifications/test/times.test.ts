import { describe, expect, it } from 'vitest'
import { afterQuiet, digestAt } from '../times.ts'

const at = (time: string, zone = '+09:00') => Date.parse(`2026-11-20T${time}:00${zone}`)
const night = { from: '22:00', until: '07:00' }
const seoul = 'Asia/Seoul'

describe('quiet hours', () => {
  it.each([
    ['before they begin', at('21:59'), at('21:59')],
    ['at their beginning', at('22:00'), at('07:00') + 86_400_000],
    ['after midnight', at('03:00'), at('07:00')],
    ['in their last minute', at('06:59'), at('07:00')],
    ['at their end', at('07:00'), at('07:00')],
  ])('%s', (_, now, sent) => expect(afterQuiet(night, seoul, now)).toBe(sent))

  it('within one day', () => {
    const noon = { from: '12:00', until: '13:30' }
    expect(afterQuiet(noon, seoul, at('12:10'))).toBe(at('13:30'))
    expect(afterQuiet(noon, seoul, at('13:31'))).toBe(at('13:31'))
  })

  it('are those of the time zone, also in a night in which clocks change', () => {
    expect(afterQuiet(night, 'America/New_York', at('03:00'))).toBe(at('03:00'))
    const spring = Date.parse('2026-03-08T05:30:00Z')
    expect(afterQuiet(night, 'America/New_York', spring)).toBe(Date.parse('2026-03-08T11:00:00Z'))
  })

  it('do not hold what begins before, or soon after, they end', () => {
    expect(afterQuiet(night, seoul, at('03:00'), at('07:30'))).toBe(at('03:00'))
    expect(afterQuiet(night, seoul, at('03:00'), at('09:00'))).toBe(at('07:00'))
  })

  it('hold what has begun already', () => {
    expect(afterQuiet(night, seoul, at('23:00'), at('22:30'))).toBe(at('07:00') + 86_400_000)
    expect(afterQuiet(night, seoul, at('23:00'), at('23:00'))).toBe(at('07:00') + 86_400_000)
  })

  it('are none for whoever has chosen none', () => expect(afterQuiet(null, seoul, at('03:00'))).toBe(at('03:00')))
})

it('what is collected is sent at half past eight of the next morning', () => {
  expect(digestAt(seoul, at('08:29'))).toBe(at('08:30'))
  expect(digestAt(seoul, at('08:30'))).toBe(at('08:30') + 86_400_000)
})
