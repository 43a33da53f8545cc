/** Valid calls of the operations on a center that the path names, and of those that create one. */
import { newId, newUuid, uuidOf } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample, SampleCall } from './sample.ts'

const here = ({ center }: Cast): SampleCall => ({ params: { center: center.domain } })
const addressed: Sample = { call: (_, cast) => here(cast), status: 200 }

// Separate days, so that the bookings of one operation do not use up the slots of the other.
const bookedDay = '2030-01-07'
const cancelledDay = '2030-01-14'
const movedDay = '2030-01-21'
const seriesDay = '2030-02-11'

const asAdmin = async (server: TestServer, { admin, center }: Cast): Promise<string> =>
  (await server.signIn(admin, center.domain)).accessToken

async function freeSlot(server: TestServer, cast: Cast, date: string): Promise<string> {
  const path = `/api/centers/${cast.center.id}/available-slots?date=${date}&instructorId=${cast.instructor.actorId}`
  const { body } = await server.call('GET', path, { token: await asAdmin(server, cast) })
  return body.data.slots[0].startsAt
}

async function newBooking(server: TestServer, cast: Cast): Promise<string> {
  const { body } = await server.call('POST', `/api/centers/${cast.center.id}/bookings`, {
    token: await asAdmin(server, cast),
    body: {
      instructorId: cast.instructor.actorId,
      startsAt: await freeSlot(server, cast, cancelledDay),
      bookedFor: cast.child.actorId,
    },
  })
  return body.data.id
}

const newSeries = async (server: TestServer, cast: Cast): Promise<Record<string, string>> => ({
  instructorId: cast.instructor.actorId,
  startsAt: await freeSlot(server, cast, seriesDay),
  weeks: '2',
  bookedFor: cast.child.actorId,
})

let closedDays = 0
/** Each time another one, which no appointment of a sample is on. */
const closedDay = () => new Date(Date.UTC(2028, 0, 1 + closedDays++)).toISOString().slice(0, 10)

let fullDays = 0
/** A day of its own on which the instructor has no free slot. */
async function fullDay({ world }: TestServer, { center, instructor, child }: Cast) {
  const date = new Date(Date.UTC(2031, 0, 6 + 7 * fullDays++)).toISOString().slice(0, 10)
  await world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
     values ($1, $2, $3, $4, $4, $5::timestamptz - interval '12 hours', $5::timestamptz + interval '36 hours', now())`,
    [center.id, newUuid(), instructor.actorId, newUuid(), `${date}T00:00:00Z`],
    true,
  )
  return { instructorId: instructor.actorId, date, bookedFor: child.actorId }
}

async function newWait(server: TestServer, cast: Cast): Promise<string> {
  const { body } = await server.call('POST', `/api/centers/${cast.center.id}/waiting-list`, {
    token: await asAdmin(server, cast),
    body: await fullDay(server, cast),
  })
  return body.data.id
}

let begun = 0

/** An appointment that has begun, each on another day. */
const attendance: Sample = {
  async call(server, cast) {
    const id = await newBooking(server, cast)
    await server.world.query(
      `update cell.bookings set placed_at = null, starts_at = starts_at - $3 * interval '1 day', ends_at = ends_at - $3 * interval '1 day'
       where center_id = $1 and id = $2`,
      [cast.center.id, uuidOf('booking', id), 1500 + begun++],
    )
    return { params: { center: cast.center.domain, id } }
  },
  status: 200,
  nowhere: ({ center }) => ({ params: { center: center.domain, id: newId('booking') } }),
}

async function newGroup(server: TestServer, cast: Cast): Promise<string> {
  const { body } = await server.call('POST', `/api/centers/${cast.center.id}/groups`, {
    token: await asAdmin(server, cast),
    body: { name: 'Finance', actorIds: [cast.instructor.actorId] },
  })
  return body.data.id
}

/** With a person who does not count yet. */
async function waitingGroup(server: TestServer, cast: Cast): Promise<string> {
  const id = await newGroup(server, cast)
  await server.world.query(
    `update cell.groups set people = jsonb_set(people::jsonb, '{0,countsFrom}', to_jsonb(now() + interval '1 day'))::json where id = $1`,
    [uuidOf('group', id)],
    true,
  )
  return id
}

const ofGroup = (status: number, bodyOf?: (cast: Cast) => object, make = newGroup): Sample => {
  const call = (cast: Cast, id: string): SampleCall => ({
    params: { center: cast.center.domain, id },
    ...(bodyOf && { body: bodyOf(cast) }),
  })
  return {
    status,
    call: async (server, cast) => call(cast, await make(server, cast)),
    nowhere: (cast) => call(cast, newId('group')),
  }
}

const order = (adminActorId: string): SampleCall => ({
  body: {
    centerName: 'Another center',
    subdomain: `n-${newUuid().slice(-12)}`,
    planId: 'center-starter',
    orderId: newUuid(),
    adminActorId,
  },
})

const slackChannel = { kind: 'slack', name: '#approvals', url: 'https://hooks.slack.com/services/T0/B0/secret' }

async function newChannel(server: TestServer, cast: Cast): Promise<string> {
  await server.world.query('delete from cell.notification_channels where center_id = $1', [cast.center.id])
  const { body } = await server.call('POST', `/api/centers/${cast.center.id}/notification-channels`, {
    token: await asAdmin(server, cast),
    body: slackChannel,
  })
  return body.data.id
}

const endExports = ({ world }: TestServer, { center }: Pick<Cast, 'center'>) =>
  world.query(
    `update cell.center_exports set status = 'failed', reason = 'ended', ended_at = now()
     where center_id = $1 and status = 'running'`,
    [center.id],
    true,
  )

/** An export with one file, in the center and in that of the other tenant. */
async function completeExports(server: TestServer, { center, otherCenter, admin }: Cast): Promise<void> {
  const files = [
    [center, 'manifest.json'],
    [otherCenter, 'other.json'],
  ] as const
  for (const [where, name] of files) {
    await endExports(server, { center: where })
    const id = newUuid()
    await server.world.query(
      `insert into cell.center_exports (center_id, id, requested_by, requested_at, expires_at, next_at, status, ended_at, manifest)
       values ($1, $2, $3, now(), now() + interval '1 day', now(), 'completed', now(), 'x')`,
      [where.id, id, admin.actorId],
      true,
    )
    await server.world.query(
      `insert into cell.center_export_files (center_id, export_id, name, lines, sha256, content, expires_at)
       values ($1, $2, $3, 0, 'x', 'x', now() + interval '1 day')`,
      [where.id, id, name],
      true,
    )
  }
}

/** A sandbox that no other sample uses. */
const ofSandbox = (status: number, isMember = false): Sample => ({
  async call(server, cast) {
    await closeSandbox(server, cast)
    const token = await asAdmin(server, cast)
    const made = await server.call('POST', `/api/centers/${cast.center.id}/sandboxes`, { token, body: { name: 'CI' } })
    return { params: { ...(isMember && { center: cast.center.domain }), sandboxId: String(made.body.data.id) } }
  },
  status,
  nowhere: ({ center }) => ({ params: { ...(isMember && { center: center.domain }), sandboxId: '2000000000' } }),
})

/** With the key of a sandbox: no key of a center may do this. */
const ofTestPeople = (
  nowhere: () => SampleCall,
  made: (server: TestServer, token: string) => SampleCall | Promise<SampleCall> = nowhere,
): Sample => {
  const refused = { status: 403, code: 'FORBIDDEN' }
  return {
    async call(server, cast) {
      await closeSandbox(server, cast)
      const path = `/api/centers/${cast.center.id}/sandboxes`
      const answer = await server.call('POST', path, { token: await asAdmin(server, cast), body: { name: 'CI' } })
      const { key: token } = answer.body.data.key
      return { ...(await made(server, token)), token }
    },
    status: 200,
    others: refused,
    foreign: refused,
    nowhere,
  }
}
const byTestPerson = (eventId: string) => ({ body: { eventId, result: 'approved', level: 'session' } })

/** Those of earlier samples are closed. */
const closeSandbox = ({ world }: TestServer, { center }: Cast) =>
  world.query(`update directory.centers set status = 'INACTIVE' where sandbox_of = $1`, [center.id])

const notForThem = { status: 403, code: 'FORBIDDEN' }

export const centerSamples: Readonly<Record<string, Sample>> = {
  'groups.list': addressed,
  'groups.create': {
    async call(server, cast) {
      // Whoever changes a group delivers changes of members first, which write entries of their own.
      await server.services.eligibility.deliver()
      return { ...here(cast), body: { name: 'Finance', actorIds: [cast.instructor.actorId] } }
    },
    status: 201,
  },
  'groups.update': ofGroup(200, () => ({ name: 'Accounting' })),
  'groups.confirm': ofGroup(200, ({ instructor }) => ({ actorIds: [instructor.actorId] }), waitingGroup),
  'groups.end': ofGroup(204),

  'audit.list': { call: () => ({}), status: 200 },
  'audit.exportCsv': { call: () => ({}), status: 200 },
  'centers.list': { call: () => ({}), status: 200 },
  'centers.get': addressed,
  'centers.listApps': addressed,
  'centers.getInfo': addressed,
  'instructors.list': addressed,
  'bookings.listSlots': { call: (_, cast) => ({ ...here(cast), query: `date=${bookedDay}` }), status: 200 },
  'centers.search': { call: () => ({ body: { query: 'center' } }), status: 200 },
  'centers.updateSettings': { call: (_, cast) => ({ ...here(cast), body: { locale: 'en' } }), status: 200 },
  // The partner of the cast's center names it: this one has none.
  'centers.rename': {
    async call({ world }, { admin, instructor, child }) {
      const center = await world.center()
      await world.member(admin, center)
      await world.member(instructor, center, 'INSTRUCTOR')
      await world.member(child, center, 'CHILD')
      return { params: { center: center.domain }, body: { name: 'Another name' } }
    },
    status: 200,
  },
  'instructors.setHours': {
    call: (_, { center, instructor }) => ({
      params: { center: center.domain, actorId: instructor.actorId },
      body: { hours: null },
    }),
    status: 200,
    nowhere: ({ center }) => ({ params: { center: center.domain, actorId: newUuid() }, body: { hours: null } }),
  },
  'bookingSeries.preview': {
    call: async (server, cast) => ({
      ...here(cast),
      query: new URLSearchParams(await newSeries(server, cast)).toString(),
    }),
    status: 200,
    nowhere: (cast) => ({
      ...here(cast),
      query: new URLSearchParams({
        ...{ instructorId: newUuid(), startsAt: `${seriesDay}T01:00:00.000Z` },
        ...{ weeks: '2', bookedFor: cast.child.actorId },
      }).toString(),
    }),
  },
  'bookingSeries.create': {
    call: async (server, cast) => {
      const { weeks, ...asked } = await newSeries(server, cast)
      return { ...here(cast), body: { ...asked, weeks: Number(weeks) } }
    },
    status: 201,
    nowhere: (cast) => ({
      ...here(cast),
      body: {
        instructorId: newUuid(),
        startsAt: `${seriesDay}T01:00:00.000Z`,
        weeks: 2,
        bookedFor: cast.child.actorId,
      },
    }),
  },
  'bookingSeries.get': {
    call: async (server, cast) => {
      const { weeks, ...asked } = await newSeries(server, cast)
      const { body } = await server.call('POST', `/api/centers/${cast.center.id}/booking-series`, {
        token: await asAdmin(server, cast),
        body: { ...asked, weeks: Number(weeks) },
      })
      return { params: { center: cast.center.domain, id: body.data.id } }
    },
    status: 200,
    nowhere: ({ center }) => ({ params: { center: center.domain, id: newId('bookingSeries') } }),
  },
  'closures.list': addressed,
  'closures.add': {
    call: (_, cast) => ({ ...here(cast), body: { from: closedDay(), name: 'Winter break' } }),
    status: 201,
  },
  'closures.remove': {
    call: async (server, cast) => {
      const date = closedDay()
      await server.call('POST', `/api/centers/${cast.center.id}/closures`, {
        token: await asAdmin(server, cast),
        body: { from: date, name: 'Winter break' },
      })
      return { params: { center: cast.center.domain, date } }
    },
    status: 204,
    nowhere: ({ center }) => ({ params: { center: center.domain, date: '2028-12-30' } }),
  },
  'bookingWaits.create': {
    call: async (server, cast) => ({ ...here(cast), body: await fullDay(server, cast) }),
    status: 201,
    nowhere: (cast) => ({ ...here(cast), body: { instructorId: newUuid(), date: '2029-03-05' } }),
  },
  'bookingWaits.list': addressed,
  'bookingWaits.delete': {
    call: async (server, cast) => ({
      params: { center: cast.center.domain, id: await newWait(server, cast) },
    }),
    status: 204,
    nowhere: ({ center }) => ({ params: { center: center.domain, id: newId('bookingWait') } }),
  },
  'holidays.get': addressed,
  'holidays.adopt': { call: (_, cast) => ({ ...here(cast), body: { year: 2027 } }), status: 200 },
  'bookings.create': {
    call: async (server, cast) => ({
      ...here(cast),
      body: { instructorId: cast.instructor.actorId, startsAt: await freeSlot(server, cast, bookedDay) },
    }),
    status: 201,
    nowhere: (cast) => ({ ...here(cast), body: { instructorId: newUuid(), startsAt: `${bookedDay}T01:00:00.000Z` } }),
  },
  'attendance.list': addressed,
  'attendance.exportCsv': addressed,
  'bookings.list': addressed,
  'bookings.exportCsv': addressed,
  'bookings.move': {
    call: async (server, cast) => ({
      params: { center: cast.center.domain, id: await newBooking(server, cast) },
      body: { startsAt: await freeSlot(server, cast, movedDay) },
    }),
    status: 200,
    nowhere: ({ center }) => ({
      params: { center: center.domain, id: newId('booking') },
      body: { startsAt: `${movedDay}T01:00:00.000Z` },
    }),
  },
  'bookings.markAttended': attendance,
  'bookings.markNoShow': attendance,
  'bookings.recordAttendance': {
    call: async (server, cast) => {
      const { params } = await attendance.call(server, cast)
      return { ...here(cast), body: { marks: [{ bookingId: params?.id, kind: 'attended' }] } }
    },
    status: 200,
  },
  'bookings.cancelWithReason': {
    call: async (server, cast) => ({
      params: { center: cast.center.domain, id: await newBooking(server, cast) },
      body: { reason: 'Ill' },
    }),
    status: 200,
    nowhere: ({ center }) => ({ params: { center: center.domain, id: newId('booking') }, body: { reason: 'Ill' } }),
  },
  'bookings.cancel': {
    call: async (server, cast) => ({
      params: { center: cast.center.domain, id: await newBooking(server, cast) },
    }),
    status: 204,
    nowhere: ({ center }) => ({ params: { center: center.domain, id: newId('booking') } }),
  },

  'provisioning.createCenter': {
    call: (_, { admin }) => order(admin.actorId),
    status: 201,
    others: notForThem,
    foreign: notForThem,
    nowhere: () => order(newUuid()),
  },
  'provisioning.checkSubdomain': { call: () => ({ body: { subdomain: 'a-free-name' } }), status: 200 },
  'provisioning.listCenterPlans': { call: () => ({}), status: 200 },
  'provisioning.listLmsPlans': { call: () => ({}), status: 200 },
  'notificationChannels.create': {
    async call(server, cast) {
      // A center has few channels: those of earlier samples are removed.
      await server.world.query('delete from cell.notification_channels where center_id = $1', [cast.center.id])
      return { ...here(cast), body: slackChannel }
    },
    status: 201,
  },
  'notificationChannels.list': addressed,
  'notificationChannels.test': {
    call: async (server, cast) => ({ params: { center: cast.center.domain, id: await newChannel(server, cast) } }),
    status: 202,
    nowhere: ({ center }) => ({ params: { center: center.domain, id: newId('notificationChannel') } }),
  },
  'notificationChannels.remove': {
    call: async (server, cast) => ({ params: { center: cast.center.domain, id: await newChannel(server, cast) } }),
    status: 204,
    nowhere: ({ center }) => ({ params: { center: center.domain, id: newId('notificationChannel') } }),
  },
  'sandboxes.create': {
    async call(server, cast) {
      await closeSandbox(server, cast)
      return here(cast)
    },
    status: 201,
  },
  'sandboxes.reset': {
    async call(server, cast) {
      await closeSandbox(server, cast)
      const token = await asAdmin(server, cast)
      await server.call('POST', `/api/centers/${cast.center.id}/sandbox`, { token })
      return here(cast)
    },
    status: 201,
  },
  'sandboxes.list': { call: () => ({}), status: 200 },
  'sandboxes.listAsMember': addressed,
  'sandboxes.add': {
    async call(server, cast) {
      await closeSandbox(server, cast)
      return { body: { name: 'CI' } }
    },
    status: 201,
  },
  'sandboxes.addAsMember': {
    async call(server, cast) {
      await closeSandbox(server, cast)
      return { ...here(cast), body: { name: 'CI' } }
    },
    status: 201,
  },
  'testPeople.list': ofTestPeople(() => ({})),
  'testPeople.approve': ofTestPeople(
    () => byTestPerson(newId('decisionEvent')),
    async (server, token) => {
      const policies = [{ name: 'All', match: {}, guards: { humanReview: true } }]
      await server.call('PUT', '/api/v1/policies/import', { token, body: { version: 1, policies } })
      const asked = { agent: { id: 'agent-7' }, action: { type: 'loan.pay', description: 'Pay' } }
      const { body } = await server.call('POST', '/api/v1/agents/decide', { token, body: asked })
      return byTestPerson(body.data.eventId)
    },
  ),
  'sandboxes.refresh': ofSandbox(200),
  'sandboxes.refreshAsMember': ofSandbox(200, true),
  'sandboxes.end': ofSandbox(204),
  'sandboxes.endAsMember': ofSandbox(204, true),
  'centerExports.create': {
    async call(server, cast) {
      await endExports(server, cast)
      return here(cast)
    },
    status: 202,
  },
  'centerExports.get': {
    async call(server, cast) {
      await completeExports(server, cast)
      return here(cast)
    },
    status: 200,
  },
  'centerExports.getFile': {
    async call(server, cast) {
      await completeExports(server, cast)
      return { params: { center: cast.center.domain, name: 'manifest.json' } }
    },
    status: 200,
    nowhere: ({ center }) => ({ params: { center: center.domain, name: 'unknown.json' } }),
  },
  'centerExports.download': {
    async call(server, cast) {
      await completeExports(server, cast)
      return here(cast)
    },
    status: 200,
  },
  'subscription.get': { call: () => ({}), status: 200 },
  'subscription.getNotice': { call: () => ({}), status: 200 },
  'subscription.listInvoices': { call: () => ({}), status: 200 },
}
