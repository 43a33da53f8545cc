/** Everything that places appointments, at once: bookings, series, moves and cancelations, and a place that many wait for. */
import { uuidOf } from '@countersign/server/lib/ids.ts'
import type { Client } from '../support/client.ts'
import type { Answer } from '../support/contract-check.ts'
import { allAtOnce, countBy, judge, patient, type Race, type RaceSetup } from './race-setup.ts'

const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A center that is open for so many hours of every day, with instructors and clients for whom its ADMIN acts. */
async function openCenter(
  { world, clients }: RaceSetup,
  hours: number,
  people: { instructors: number; clients: number },
) {
  const client = patient(clients[0] as Client)
  const [admin, center] = [await world.person(), await world.center()]
  await world.member(admin, center)
  const signIn = async () => (await client.signIn(admin, center.domain)).accessToken
  const open = [{ from: '00:00', to: `${String(hours).padStart(2, '0')}:00` }]
  const openingHours = Object.fromEntries(week.map((day) => [day, open]))
  const body = { timezone: 'UTC', booking: { slotMinutes: 60, openingHours } }
  await client.call('PATCH', `/api/centers/${center.id}/settings`, { token: await signIn(), body })
  const join = (role: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const person = await world.person({ login: false })
        await world.member(person, center, role)
        return person.actorId
      }),
    )
  return {
    ...{ client, center, signIn },
    instructors: await join('INSTRUCTOR', people.instructors),
    clients: await join('PARENT', people.clients),
    path: `/api/centers/${center.id}`,
  }
}

interface Booked {
  readonly id: string
  readonly instructorId: string
  readonly startsAt: string
  readonly seriesId: string | null
}

/** What a contender does, and what it did to which appointment where it was acknowledged. */
interface Deed {
  readonly what: 'book' | 'series' | 'move' | 'moveSeries' | 'cancel' | 'cancelSeries'
  readonly of?: Booked
  answer?: Answer
}

interface Row {
  readonly id: string
  readonly status: string
  readonly series_id: string | null
  readonly series_week: number | null
  readonly instructor_id: string
  readonly starts_at: Date
}

const weeks = 4
const passing = [200, 201, 400, 404, 409]

export const bookingsRace: Race = {
  name: 'a calendar by fifty',
  async prepare(setup) {
    const place = await openCenter(setup, 6, { instructors: 2, clients: 8 })
    const { world, random } = setup
    const { path, center } = place
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
    let monday = Math.ceil(Date.now() / dayMs) * dayMs + 7 * dayMs
    return async (contenders) => {
      const token = await place.signIn()
      const first = monday
      monday += weeks * 7 * dayMs
      // Few days and hours, so that most meet.
      const slot = () =>
        new Date(first + Math.floor(random() * 3) * dayMs + Math.floor(random() * 6) * hourMs).toISOString()
      const asked = () => ({ instructorId: pick(place.instructors), bookedFor: pick(place.clients), startsAt: slot() })
      const known: Booked[] = []
      const skipped = new Date(first + 2 * 7 * dayMs).toISOString().slice(0, 10)
      // Two series that leave out a week of their own accord, and some appointments.
      for (const [at, instructorId] of place.instructors.entries()) {
        const startsAt = new Date(first + at * hourMs).toISOString()
        const body = { instructorId, bookedFor: place.clients[at], startsAt, weeks, leaveOut: [skipped] }
        const made = await place.client.call('POST', `${path}/booking-series`, { token, body })
        known.push(...made.body.data.bookings)
      }
      for (let at = 0; at < 6; at++) {
        const startsAt = new Date(first + dayMs + at * hourMs).toISOString()
        const body = { instructorId: place.instructors[at % 2], bookedFor: place.clients[at + 2], startsAt }
        known.push((await place.client.call('POST', `${path}/bookings`, { token, body })).body.data)
      }
      const inSeries = known.filter(({ seriesId }) => seriesId !== null)
      const deeds = Array.from({ length: contenders }, (): [Deed, (each: Client) => Promise<Answer>] => {
        const what = pick(['book', 'book', 'series', 'move', 'move', 'moveSeries', 'cancel', 'cancelSeries'] as const)
        const post = (at: string, body: object) => (each: Client) => each.call('POST', `${path}${at}`, { token, body })
        if (what === 'book') return [{ what }, post('/bookings', asked())]
        if (what === 'series') return [{ what }, post('/booking-series', { ...asked(), weeks, leaveOut: [] })]
        const of = pick(what.endsWith('Series') ? inSeries : known)
        const scope = what.endsWith('Series') ? { scope: pick(['following', 'all']) } : {}
        const body = what.startsWith('move')
          ? { startsAt: slot(), instructorId: pick(place.instructors), ...scope }
          : { reason: 'raced', ...scope }
        return [{ what, of }, post(`/bookings/${of.id}/${what.startsWith('move') ? 'move' : 'cancel'}`, body)]
      })
      let next = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, async (each) => {
        const [deed, run] = deeds[next++] as (typeof deeds)[number]
        deed.answer = await run(each)
        return deed.answer
      })
      const { check, violations } = judge()
      check(
        answers.every(({ status }) => passing.includes(status)),
        `answers ${countBy(answers)}`,
      )
      const done = deeds.map(([deed]) => deed).filter(({ answer }) => answer !== undefined && answer.status < 300)

      const double = await world.query(
        `select a.id from cell.bookings a join cell.bookings b on a.center_id = b.center_id and a.id < b.id
           and (a.instructor_id = b.instructor_id or a.booked_for = b.booked_for)
           and a.starts_at < b.ends_at and b.starts_at < a.ends_at
         where a.center_id = $1 and a.status <> 'canceled' and b.status <> 'canceled'`,
        [center.id],
        true,
      )
      check(double.length === 0, `${double.length} double bookings`)

      const rows = new Map(
        (
          await world.query<Row>(
            'select id, status, series_id, series_week, instructor_id, starts_at from cell.bookings where center_id = $1',
            [center.id],
            true,
          )
        ).map((row) => [row.id, row]),
      )
      const rowOf = (id: string) => rows.get(uuidOf('booking', id) as string)
      const acknowledged = [
        ...known,
        ...done.flatMap(({ what, answer }): Booked[] =>
          what === 'book' ? [answer?.body.data] : what === 'series' ? answer?.body.data.bookings : [],
        ),
      ]
      const lost = acknowledged.filter(({ id }) => rowOf(id) === undefined)
      check(lost.length === 0, `${lost.length} acknowledged appointments aren't there`)
      const canceling = done.filter(({ what }) => what.startsWith('cancel'))
      for (const { of } of canceling)
        check(rowOf(of?.id as string)?.status === 'canceled', `${of?.id} is there after its cancelation`)
      // What nobody canceled is booked, and stands where somebody was told.
      const maybe = deeds.map(([deed]) => deed).filter(({ answer }) => answer === undefined || answer.status === 503)
      for (const { id, seriesId } of acknowledged) {
        const row = rowOf(id)
        const touched = [...done, ...maybe].filter(
          ({ of, what }) =>
            of?.id === id || (what.endsWith('Series') && seriesId !== null && of?.seriesId === seriesId),
        )
        if (!touched.some(({ what }) => what.startsWith('cancel')))
          check(row?.status === 'booked', `${id} is ${row?.status}, and nobody canceled it`)
        if (seriesId !== null || maybe.length > 0) continue
        const told = [
          acknowledged.find((each) => each.id === id),
          ...touched.filter(({ what }) => what === 'move').map(({ answer }) => answer?.body.data as Booked),
        ]
        check(
          told.some(
            (each) => each?.instructorId === row?.instructor_id && each?.startsAt === row?.starts_at.toISOString(),
          ),
          `${id} stands where nobody was told`,
        )
      }

      const exceptions = new Map(
        (
          await world.query<{ series_id: string; week: number; kind: string }>(
            'select series_id, week, kind from cell.booking_series_exceptions where center_id = $1',
            [center.id],
            true,
          )
        ).map(({ series_id, week: of, kind }) => [`${series_id} ${of}`, kind]),
      )
      const seriesIds = new Set(inSeries.map(({ seriesId }) => uuidOf('bookingSeries', seriesId as string) as string))
      for (const id of seriesIds)
        check(exceptions.get(`${id} 3`) === 'skipped', `the week that was left out of ${id} is no exception anymore`)
      for (const row of rows.values()) {
        if (row.series_id !== null && row.status === 'canceled')
          check(
            exceptions.get(`${row.series_id} ${row.series_week}`) === 'canceled',
            `week ${row.series_week} of ${row.series_id} is canceled and no exception`,
          )
      }
      for (const { what, of } of done) {
        const row = what === 'move' && of?.seriesId ? rowOf(of.id) : undefined
        if (row)
          check(
            ['moved', 'canceled'].includes(exceptions.get(`${row.series_id} ${row.series_week}`) ?? ''),
            `a move of week ${row.series_week} of ${row.series_id} is no exception`,
          )
      }
      // All weeks of a series but those that were left out, or none.
      for (const [id, own] of Map.groupBy(rows.values(), ({ series_id }) => series_id)) {
        const out = exceptions.get(`${id} 3`) === 'skipped' ? 1 : 0
        if (id !== null) check(own.length === weeks - out, `a series of ${own.length} appointments`)
      }
      return { violations, turnedAway }
    }
  },
}

interface Wait {
  readonly booked_for: string
  readonly offered: boolean
}

/** A full hour is left while fifty ask to wait for it, or take it: it goes to one, or is kept for one, and nobody waits beside it. */
export const waitingRace: Race = {
  name: 'a place that many wait for',
  async prepare(setup) {
    const place = await openCenter(setup, 1, { instructors: 1, clients: 24 })
    const { world } = setup
    const { path, center } = place
    const [instructorId] = place.instructors as [string]
    const [holder, ...others] = place.clients as [string, ...string[]]
    let day = Math.ceil(Date.now() / dayMs) * dayMs + 7 * dayMs
    return async (contenders) => {
      const token = await place.signIn()
      const startsAt = new Date(day).toISOString()
      const date = startsAt.slice(0, 10)
      day += dayMs
      const held = { instructorId, bookedFor: holder, startsAt }
      const { body } = await place.client.call('POST', `${path}/bookings`, { token, body: held })
      for (const bookedFor of others.slice(0, 3))
        await place.client.call('POST', `${path}/waiting-list`, { token, body: { instructorId, bookedFor, date } })
      let next = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (each) => {
        const at = next++
        const bookedFor = others[at % others.length] as string
        if (at === Math.floor(contenders / 3)) return each.call('DELETE', `${path}/bookings/${body.data.id}`, { token })
        return at % 2
          ? each.call('POST', `${path}/waiting-list`, { token, body: { instructorId, bookedFor, date } })
          : each.call('POST', `${path}/bookings`, { token, body: { instructorId, bookedFor, startsAt } })
      })
      const { check, violations } = judge()
      check(
        answers.every(({ status }) => [201, 204, 409].includes(status)),
        `answers ${countBy(answers)}`,
      )
      const booked = await world.query<{ booked_for: string }>(
        `select booked_for from cell.bookings where center_id = $1 and starts_at = $2 and status <> 'canceled'`,
        [center.id, startsAt],
        true,
      )
      const waits = await world.query<Wait>(
        'select booked_for, offer_until is not null as offered from cell.booking_waits where center_id = $1 and day = $2 order by created_at, id',
        [center.id, date],
        true,
      )
      const offered = waits.filter(({ offered: isOffered }) => isOffered)
      check(booked.length <= 1, `${booked.length} appointments`)
      check(booked.length + offered.length <= 1, 'a place is booked and kept')
      check(booked.length + offered.length === 1 || waits.length === 0, `${waits.length} wait beside a free place`)
      // Three waited before: whoever has the place is the first of them, and booked it while it was kept.
      if (booked[0] && booked[0].booked_for !== holder)
        check(booked[0].booked_for === others[0], 'somebody who was not first has the place')
      if (offered[0]) check(offered[0].booked_for === others[0], 'the place is kept for somebody who was not first')
      // A client waits for so many days at a time.
      await world.query('delete from cell.booking_waits where center_id = $1', [center.id], true)
      return { violations, turnedAway }
    }
  },
}
