/** A week in the demo center: rules, decisions that wait and that people sealed or refused, webhooks, drafts, a broken chain elsewhere. */

import { openOperatorShell } from '@countersign/server/data/operator.ts'
import { putSharedPolicy } from '@countersign/server/features/evidence/policies/shared.ts'
import { type Demo, seedDemo } from '../../tools/demo-data.ts'
import { open } from '../support/approving.ts'
import type { ConsoleDesk } from '../support/console.ts'
import { countingPasskey, type Registered } from '../support/passkeys.ts'
import type { Center, Person } from '../support/world.ts'
import { attend } from './appointments.ts'
import { sealed, waiting } from './requests.ts'

export interface Story {
  readonly center: Center
  readonly admin: Person
  readonly instructor: Person
  readonly parent: Person
  readonly client: Person
  readonly partner: Person
  readonly operator: Person
  /** A center with policies of its partner, whose administrator is `admin` too. */
  readonly heir: Center
  /** A center whose chain was altered; its administrator. */
  readonly altered: { readonly center: Center; readonly admin: Person }
  /** A day with appointments. */
  readonly day: string
  /** Objects whose sheets are shown. */
  readonly decision: string
  readonly waiting: string
  readonly policy: string
  readonly webhook: string
  readonly workflow: string
  readonly run: string
}

type Body = Record<string, unknown>

export async function tellStory(desk: ConsoleDesk, receiver: string): Promise<Story> {
  const { server } = desk
  const demo = await seedDemo(server.services.config)
  const at = (index: number): Center => {
    const { id, domain } = demo.centers[index] as Demo['centers'][number]
    return { id, domain }
  }
  const account = (name: string) => demo.accounts[name] as Demo['accounts'][string]
  const [center, other] = [at(0), at(1)]
  const admin = await desk.person('박서연', 'ADMIN', center)
  const children = await Promise.all(
    ['정도윤', '오시우', '서하린', '강민서'].map((name) => desk.person(name, 'CHILD', center)),
  )
  const second = await desk.person('최원장', 'ADMIN', center)
  const otherAdmin = account('otherAdmin')
  const post = async (path: string, token: string, body: Body = {}, method = 'POST') => {
    const answer = await server.call(method, path, { token, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body?.data
  }
  const tokenOf = async (person: Person, domain?: string) => (await server.signIn(person, domain)).accessToken
  const token = await tokenOf(admin, center.domain)

  const rule = (name: string, actionTypes: string[], more: Body) =>
    post('/api/policies', token, { name, match: { actionTypes }, ...more })
  const { id: policy } = await rule('50만원을 넘는 환불은 관리자가 하루 안에 승인합니다.', ['refund.*'], {
    match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 500_000 }] },
    guards: { humanReview: true },
    approval: { identity: 'passkey', roles: ['ADMIN'], expiresAfterSeconds: 86_400 },
  })
  await rule('치료 계획을 바꾸려면 강사나 관리자가 읽습니다.', ['plan.*'], {
    guards: { humanReview: true },
    approval: { roles: ['ADMIN', 'INSTRUCTOR'], expiresAfterSeconds: 259_200 },
  })
  await rule('가족에게 보내는 글은 두 사람이 승인합니다.', ['message.*'], {
    guards: { dualApproval: true },
    approval: { roles: ['ADMIN', 'INSTRUCTOR'], expiresAfterSeconds: 172_800 },
  })

  const shell = openOperatorShell(server.services.config, server.services.log)
  await shell.asOperator({ requestId: 'story', actorId: 'operator:story', centerId: 0 }, (tx) =>
    putSharedPolicy(tx, {
      scope: 'global',
      name: '개인정보를 밖으로 보내려면 두 사람이 승인합니다.',
      match: { actionTypes: ['export.*'] },
      guards: { dualApproval: true },
    }),
  )
  await shell.close()

  const hook = (body: Body) => post('/api/webhooks', token, body)
  const { id: webhook } = await hook({ url: `${receiver}/bills`, events: ['*'], description: '회계 프로그램' })
  await hook({ url: 'http://127.0.0.1:9/chat', events: ['dpu.*'], description: '알림방' })

  const passkey = await countingPasskey(server, admin, center, second)
  const decide = async (id: string, { result, reason, level }: (typeof sealed)[number]) => {
    const shown = await open(
      async (method, path, body) => (await server.call(method, path, { token, ...(body && { body }) })).body.data,
      id,
    )
    const path = `/api/decisions/${id}/approvals`
    const given = { result, ...(reason && { reason }), channel: 'console', ...shown }
    if (level !== 'passkey') return post(path, token, given)
    const { publicKey } = await post(`${path}/challenge`, token, { result, ...(reason && { reason }), ...shown })
    return post(path, token, { ...given, assertion: (passkey as Registered).device.answer(publicKey.challenge) })
  }
  const record = (key: string, body: Body): Promise<{ id: string }> => post('/api/v1/decision-events', key, body)
  const { write, otherWrite, otherApprove } = demo.apiKeys
  let decision = ''
  for (const each of sealed) {
    const { id } = await record(write, each.request)
    await decide(id, each)
    if (each.level === 'passkey') decision = id
  }
  let waits = ''
  for (const each of waiting) {
    const { id } = await record(write, each.request)
    if (each.comment) await post(`/api/decisions/${id}/comments`, token, { text: each.comment })
    waits ||= id
  }

  const day = await attend(desk, center, { token, clients: [...children, account('child')] })

  const workflows = (await server.call('GET', '/api/workflows', { token })).body.data as { id: string }[]
  const workflow = workflows[0]?.id ?? ''
  const { executionId: run } = await post(`/api/workflows/${workflow}/execute`, token)

  const partner = account('partnerAdmin')
  const partnerToken = await tokenOf(partner)
  await post(
    '/api/partner/settings',
    partnerToken,
    {
      newCenters: {
        branding: { primaryColor: '#1f5fbf', description: '온누리의 센터' },
        policies: [
          {
            name: '자동으로 보내는 계약은 관리자가 승인합니다.',
            match: { actionTypes: ['contract.*'] },
            guards: { humanReview: true },
            approval: { identity: 'passkey', roles: ['ADMIN'] },
          },
        ],
      },
    },
    'PATCH',
  )
  const made = await post('/api/partner/centers', partnerToken, {
    name: '솔빛발달센터',
    tenantType: 'CENTER',
    vertical: 'rehabilitation',
    adminEmail: 'admin@solbit.example',
  })
  const heir = { id: made.id as number, domain: made.centerDomain as string }
  await server.world.member(admin, heir)

  for (let count = 0; count < 6; count++) {
    const { id } = await record(otherWrite, {
      type: 'automated_action',
      actor: { id: 'timetable', type: 'service' },
      action: { type: 'lesson.move' },
    })
    await post(`/api/v1/decision-events/${id}/approvals`, otherApprove, {
      approver: { id: 'oda', type: 'human', name: '강오다' },
      result: 'approved',
    })
  }
  await server.world.query(
    `begin; set local session_replication_role = replica;
     alter table cell.entries drop constraint entries_hash_check;
     update cell.entries set template = replace(template, '"claim"', '"session"')
     where center_id = ${other.id} and domain = 'proof' and idx = 3; commit`,
  )
  const verified = await tokenOf(otherAdmin, other.domain)
  await server.call('GET', '/api/dpu/verify-chain?mode=chain', { token: verified })
  await server.call('GET', '/api/dpu/verify-chain?mode=chain', { token })
  return {
    ...{
      center,
      admin,
      instructor: account('instructor'),
      parent: account('parent'),
      client: children[0] as Person,
      partner,
      operator: account('operator'),
      heir,
      day,
      decision,
      waiting: waits,
      policy,
      webhook,
      workflow,
      run,
    },
    altered: { center: other, admin: otherAdmin },
  }
}
