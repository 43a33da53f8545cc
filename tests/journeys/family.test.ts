/** From the mail to the verified result, in Korean: a family of two children in two centers, and a missed appointment. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { workflowId } from '../support/workflow-fixture.ts'

const dayMs = 86_400_000
const password = '봄여름가을겨울 2026'
const [director, instructor, parent] = ['director@haneul.example', 'teacher@haneul.example', 'mother@home.example']

let server: TestServer
let mailbox: Mailbox
let later = 0
let restore = () => {}

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
  server.services.workflows.start()
  restore = useClock(() => Date.now() + later)
}, 60_000)
afterAll(async () => {
  restore()
  await server.close()
  await mailbox.close()
})

async function done(method: string, path: string, token: string | undefined, body?: unknown) {
  const answer = await server.call(method, `/api${path}`, {
    ...(token && { token }),
    ...(body !== undefined && { body }),
  })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body?.data
}

const signIn = async (email: string, centerDomain?: string): Promise<string> =>
  (await done('POST', '/auth/login', undefined, { email, password, ...(centerDomain && { centerDomain }) })).accessToken

/** The newest link that was mailed to the address; the one before may be there still. */
async function accept(email: string, used: Set<string>): Promise<void> {
  let token = ''
  await expect
    .poll(async () => {
      token = await mailbox.token(email, 'csi')
      return used.has(token)
    })
    .toBe(false)
  used.add(token)
  await done('POST', '/auth/invitations/accept', undefined, { token, password })
}

/** The first free slot of the coming week; in Seoul tomorrow is up to two days ahead of today in UTC. */
async function firstSlot(token: string, center: number): Promise<{ instructorId: string; startsAt: string }> {
  for (let day = 2; day < 8; day++) {
    const date = new Date(Date.now() + day * dayMs).toISOString().slice(0, 10)
    const { slots } = await done('GET', `/centers/${center}/available-slots?date=${date}`, token)
    if (slots.length > 0) return { instructorId: slots[0].instructorId, startsAt: slots[0].startsAt }
  }
  throw new Error('no slot is free')
}

it('two children in two centers, one of whom does not come', { timeout: 120_000 }, async () => {
  // The director signs up and founds two centers.
  await done('POST', '/auth/signup', undefined, { email: director, name: '김하늘' })
  const token = await mailbox.token(director, 'csu')
  const { actorId } = await done('POST', '/auth/signup/confirm', undefined, { token, password })
  const centers: { id: number; centerDomain: string }[] = []
  for (const [centerName, subdomain] of [
    ['하늘재활센터', 'haneul'],
    ['바다재활센터', 'bada'],
  ]) {
    const order = { planId: 'center-starter', orderId: `주문-${subdomain}`, adminActorId: actorId }
    const founding = { centerName, subdomain, vertical: 'rehabilitation', ...order }
    centers.push((await done('POST', '/provisioning/center-tenant', await signIn(director), founding)).center)
  }
  const admin = await signIn(director)

  // In each center an instructor, a child without a mailbox, and the mother as its guardian.
  const used = new Set<string>()
  const names = ['박민준', '박서연']
  const children: string[] = []
  for (const [index, { id }] of centers.entries()) {
    await done('POST', `/centers/${id}/members`, admin, {
      email: instructor,
      name: '이선생',
      role: 'INSTRUCTOR',
      approved: true,
    })
    await accept(instructor, used)
    const child = await done('POST', `/centers/${id}/children`, admin, { name: names[index] })
    children.push(child.actorId)
    await done('POST', `/centers/${id}/children/${child.actorId}/guardians`, admin, { email: parent, name: '최지우' })
    await accept(parent, used)
  }

  // The mother sees both and books for each.
  const mother = await signIn(parent)
  const family = await done('GET', '/family', mother)
  expect(family.children.map(({ name }: { name: string }) => name)).toEqual(names)
  for (const [index, { id }] of centers.entries()) {
    await done('POST', `/centers/${id}/bookings`, mother, {
      ...(await firstSlot(mother, id)),
      bookedFor: children[index],
    })
  }
  const { appointments } = await done('GET', '/family/appointments', mother)
  expect(appointments.map((each: { childName: string }) => each.childName).toSorted()).toEqual(names)
  expect(appointments[0]).toMatchObject({ instructorName: '이선생', status: 'booked' })

  // A week later the instructor notes that one did not come.
  later = 8 * dayMs
  const teacher = await signIn(instructor, 'haneul')
  const missed = appointments.find((each: { childId: string }) => each.childId === children[0])
  const attended = appointments.find((each: { childId: string }) => each.childId === children[1])
  await done('POST', `/centers/${centers[0]?.id}/bookings/${missed.id}/no-show`, teacher)
  await done('POST', `/centers/${centers[1]?.id}/bookings/${attended.id}/attended`, teacher)
  const { counts } = await done('GET', '/family/attendance', await signIn(parent))
  expect(new Map(counts.map(({ childId, noShow }: { childId: string; noShow: number }) => [childId, noShow]))).toEqual(
    new Map([
      [children[0], 1],
      [children[1], 0],
    ]),
  )

  // The weekly draft says so; the director reads it with names.
  const weekly = workflowId('rehabilitation.weekly-progress')
  const { executionId } = await done('POST', `/workflows/${weekly}/execute`, teacher, {})
  const ended = () => done('GET', `/workflows/executions/${executionId}`, teacher)
  await expect.poll(async () => (await ended()).status, { timeout: 60_000 }).toBe('COMPLETED')
  const { dpuId } = await ended()
  const draft = await done('GET', `/dpu/${dpuId}`, await signIn(director, 'haneul'))
  const label = `…${(children[0] as string).slice(-8)}`
  expect(draft.content).toContain(`이용자 ${label}: 예약하고 오지 않은 횟수 1회`)
  expect(draft.content).not.toContain('박민준')
  expect(draft.people).toEqual([{ label, name: '박민준' }])
  // So does the instructor: the same name stands in the appointments.
  expect((await done('GET', `/dpu/${dpuId}`, teacher)).people).toEqual(draft.people)

  // The instructor raises it, and an auditor verifies the exported file.
  const reviewed = { evidenceLevel: 'DOCUMENTED', metadata: { reason: '보호자와 통화함' } }
  expect(await done('PUT', `/dpu/${dpuId}`, teacher, reviewed)).toMatchObject({ evidenceLevel: 'DOCUMENTED' })
  const exported = (await server.call('GET', `/api/dpu/${dpuId}/export`, { token: teacher })).body
  expect(verifyExport(exported)).toMatchObject({ valid: true })
  expect(exported.evidence.history.at(-1)).toMatchObject({ evidenceLevel: 'DOCUMENTED', by: { role: 'INSTRUCTOR' } })
  exported.evidence.content = exported.evidence.content.replace('1회', '0회')
  expect(verifyExport(exported)).toMatchObject({ valid: false })
})
