/** Days on which the center is closed. Placing an appointment and closing a day take the same lock, so each sees the other. */
import type { addClosure, adoptHolidays, getHolidays, listClosures } from '@countersign/contract/closures.ts'
import { audit } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { daysAfter, instantOf, localDateOf } from '../../../lib/local-time.ts'
import { Problem } from '../../../lib/problem.ts'
import { ownCenter, settingsOf } from '../centers/api.ts'
import { bookedAmong, type ClosureRow, closeDays, closuresBetween, openDay } from './closure-queries.ts'
import { holidaysOf } from './holidays.ts'
import { lockPlaces } from './queries.ts'

const mostDays = 31
const mostListed = 366
/** So that the rows of a center are bounded. */
const yearsAhead = 3

export const closureOf = ({ day, ...row }: ClosureRow) => ({ date: day, ...row })

const settingsFor = (directory: Directory, caller: Caller) =>
  directory.asCenter(caller, async (tx) => settingsOf(await ownCenter(tx)), 'read')

export async function closuresListed(directory: Directory, { tx, query }: Context<typeof listClosures.spec>) {
  const { timezone } = await settingsFor(directory, tx.caller)
  const from = query.from ?? (query.to ? daysAfter(query.to, 1 - mostListed) : localDateOf(timezone, nowMs()))
  const to = query.to ?? daysAfter(from, mostListed - 1)
  if (to < from || to > daysAfter(from, mostListed - 1))
    throw new Problem(
      'VALIDATION_ERROR',
      `"to" can't be before "from", and a period has at most ${mostListed} days. Correct the dates and try again.`,
      { details: { reason: 'period', field: 'to' } },
    )
  return (await closuresBetween(tx, from, to)).map(closureOf)
}

export async function closePeriod(directory: Directory, { tx, body }: Context<typeof addClosure.spec>) {
  const { timezone } = await settingsFor(directory, tx.caller)
  const { from, to = from } = body
  const today = localDateOf(timezone, nowMs())
  if (to < from || to > daysAfter(from, mostDays - 1))
    throw new Problem(
      'VALIDATION_ERROR',
      `"to" can't be before "from", and you can close at most ${mostDays} days at once. Correct the dates and try again.`,
      { details: { reason: 'period', field: 'to' } },
    )
  if (from < today || to > daysAfter(today, yearsAhead * 366))
    throw new Problem(
      'VALIDATION_ERROR',
      'You can close days from today on, up to three years ahead. Correct the dates and try again.',
      { details: { reason: 'closeAhead', field: 'from' } },
    )
  const days: { day: string; name: string }[] = []
  for (let day = from; day <= to; day = daysAfter(day, 1)) days.push({ day, name: body.name.trim() })
  return close(tx, timezone, days, false)
}

async function close(
  tx: TenantTx,
  timezone: string,
  days: readonly Pick<ClosureRow, 'day' | 'name'>[],
  holiday: boolean,
) {
  await lockPlaces(tx)
  const closures = await closeDays(tx, days, holiday)
  if (closures.length > 0)
    await noteClosure(tx, 'closed', {
      days: closures.map(({ day }) => day).join(' '),
      name: [...new Set(closures.map(({ name }) => name))].join(', ').slice(0, 500),
    })
  const spans = days.map(({ day }) => ({
    start: instantOf(timezone, day, '00:00'),
    end: instantOf(timezone, daysAfter(day, 1), '00:00'),
  }))
  return { closures: closures.map(closureOf), appointments: await bookedAmong(tx, spans) }
}

const noteClosure = (tx: TenantTx, action: 'closed' | 'opened', details: Readonly<Record<string, string>>) =>
  audit(tx, {
    type: 'settings.updated',
    action: `day_${action}`,
    target: { type: 'center', id: String(tx.caller.centerId) },
    details,
  })

export async function open(tx: TenantTx, date: string): Promise<void> {
  const opened = await openDay(tx, date)
  if (!opened) throw new Problem('NOT_FOUND', "The center isn't closed on this day. List its closed days to find one.")
  await noteClosure(tx, 'opened', { days: opened.day, name: opened.name })
}

export async function holidays(directory: Directory, { tx }: Context<typeof getHolidays.spec>) {
  const { country, locale, timezone } = await settingsFor(directory, tx.caller)
  const known = holidaysOf(country)
  const today = localDateOf(timezone, nowMs())
  const days = (known?.days ?? []).filter(({ date }) => date >= today)
  const last = days.at(-1)?.date
  const closed = new Set(last ? (await closuresBetween(tx, today, last)).map(({ day }) => day) : [])
  return {
    country,
    source: known?.source ?? null,
    sourceUrl: known?.sourceUrl ?? null,
    comparedOn: known?.comparedOn ?? null,
    days: days.map((each) => ({ date: each.date, name: each[nameIn(locale)], closed: closed.has(each.date) })),
  }
}

const nameIn = (locale: string) => (locale.startsWith('ko') ? 'ko' : 'en')

export async function adopt(directory: Directory, { tx, body }: Context<typeof adoptHolidays.spec>) {
  const { country, locale, timezone } = await settingsFor(directory, tx.caller)
  const today = localDateOf(timezone, nowMs())
  const ofYear = (holidaysOf(country)?.days ?? []).filter(({ date }) => date.startsWith(`${body.year}-`))
  if (ofYear.length === 0)
    throw new Problem(
      'NOT_FOUND',
      `The public holidays of ${body.year} aren't known for ${country}. Close the days one by one instead.`,
    )
  const days = ofYear.filter(({ date }) => date >= today)
  return close(
    tx,
    timezone,
    days.map((each) => ({ day: each.date, name: each[nameIn(locale)] })),
    true,
  )
}

/** To be called while holding the lock of places: a day that was closed meanwhile takes no appointment. */
export async function requireOpen(tx: TenantTx, date: string): Promise<void> {
  const [closure] = await closuresBetween(tx, date, date)
  if (closure)
    throw new Problem('CONFLICT', `The center is closed on ${date} (${closure.name}). Choose a slot on another day.`, {
      details: { reason: 'closed' },
    })
}
