import { describe, expect, it } from 'vitest'
import type { StepContext, WorkflowCenter } from '../../features/automation/workflows/api.ts'
import { before, chosenPeriod, daysBetween, lastDays, periodOf } from '../period.ts'

const moment = (timezone: string, at: string, scheduledFor: string | null = null) => ({
  center: { timezone } as WorkflowCenter,
  startedAt: new Date(at),
  scheduledFor: scheduledFor === null ? null : new Date(scheduledFor),
})
const hours = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / 3_600_000

describe('last days', () => {
  it('are whole days in the time zone of the center', () => {
    // Monday 07:00 in Seoul is still Sunday in UTC.
    expect(lastDays(moment('Asia/Seoul', '2026-11-15T22:00:00Z'), 7)).toEqual({
      from: '2026-11-08T15:00:00.000Z',
      to: '2026-11-15T15:00:00.000Z',
      firstDay: '2026-11-09',
      lastDay: '2026-11-15',
    })
  })

  it('are those before the due time, however late the execution started', () => {
    const late = moment('Asia/Seoul', '2026-11-18T10:00:00Z', '2026-11-15T22:00:00Z')
    expect(lastDays(late, 1)).toMatchObject({ firstDay: '2026-11-15', lastDay: '2026-11-15' })
  })

  it('have 167 and 169 hours in weeks with a change of the clock, and the days before them end where they begin', () => {
    const spring = lastDays(moment('Europe/Berlin', '2026-03-30T06:00:00Z'), 7)
    const autumn = lastDays(moment('Europe/Berlin', '2026-10-26T06:00:00Z'), 7)
    expect([hours(spring), hours(autumn)]).toEqual([167, 169])
    const earlier = before('Europe/Berlin', autumn)
    expect([earlier.to, hours(earlier)]).toEqual([autumn.from, 168])
  })

  it('begin at the first instant of a day that has no midnight', () => {
    expect(periodOf('America/Sao_Paulo', '2018-11-04', '2018-11-04')).toMatchObject({
      from: '2018-11-04T03:00:00.000Z',
      to: '2018-11-05T02:00:00.000Z',
    })
  })
})

describe('a chosen period', () => {
  const context = moment('Asia/Seoul', '2026-11-15T22:00:00Z') as unknown as StepContext

  it('includes its first and its last day', () => {
    expect(daysBetween('2024-02-28', '2024-03-01')).toBe(3)
    expect(chosenPeriod(context, '2026-09-01', '2026-09-01', 186)).toMatchObject({ to: '2026-09-01T15:00:00.000Z' })
  })

  it.each([
    ['2026-09-02', '2026-09-01'],
    ['2026-01-01', '2026-12-31'],
  ])('from %s to %s fails, and the message names the limit', (from, to) => {
    expect(() => chosenPeriod(context, from, to, 186)).toThrow(/it can be 1 to 186/)
  })
})
