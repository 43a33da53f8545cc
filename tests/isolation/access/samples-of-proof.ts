/** Valid calls of the operations on approvals, evidence, decision proof units, agents and policies. */
import type { IdKind } from '@countersign/contract/ids.ts'
import { newId, newUuid } from '@countersign/server/lib/ids.ts'
import { approvalRequest } from '../../support/approval-requests.ts'
import { open } from '../../support/approving.ts'
import { sampleEvent } from '../../support/samples.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample } from './sample.ts'
import { withKeys } from './samples-of-passkeys.ts'

// An action type that no policy of another sample matches.
const policy = {
  name: 'Loans need a person',
  match: { actionTypes: ['loan.never-tried.*'] },
  guards: { humanReview: true },
}
const approval = { approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' }, result: 'approved' }

async function made(server: TestServer, path: string, token: string, body: unknown) {
  const answer = await server.call('POST', path, { token, body })
  if (answer.status >= 300) throw new Error(`could not make a sample: ${answer.text}`)
  return answer.body.data
}

const withKey = ({ world }: TestServer, { center }: Cast): Promise<string> => world.key(center)
const asAdmin = async (server: TestServer, { admin, center }: Cast): Promise<string> =>
  (await server.signIn(admin, center.domain)).accessToken

const recorded = async (server: TestServer, cast: Cast) =>
  made(server, '/api/v1/decision-events', await withKey(server, cast), sampleEvent())

async function sealed(server: TestServer, cast: Cast) {
  const event = await recorded(server, cast)
  await made(server, `/api/v1/decision-events/${event.id}/approvals`, await withKey(server, cast), approval)
  return event
}

/** In both centers: each has an entry with index 0, and shows its own. */
async function sealedInBoth(server: TestServer, cast: Cast): Promise<void> {
  await sealed(server, cast)
  await sealed(server, { ...cast, center: cast.otherCenter })
}

const newDpu = async (server: TestServer, cast: Cast) =>
  made(server, '/api/dpu/demo', await asAdmin(server, cast), { content: 'Two sessions a week' })

/** Without it a request for approval is refused. */
const heldRequests = async (server: TestServer, cast: Cast) =>
  made(server, '/api/policies', await asAdmin(server, cast), {
    ...policy,
    name: 'Tool calls need a person',
    match: { actionTypes: ['tool.invoke'] },
  })

const newPolicy = async (server: TestServer, cast: Cast) =>
  made(server, '/api/policies', await asAdmin(server, cast), policy)

/** A call that names an object created for it. */
const about = (
  make: (server: TestServer, cast: Cast) => Promise<string>,
  kind: IdKind,
  rest: Omit<Sample, 'call' | 'nowhere'>,
  body?: object,
): Sample => {
  const call = (id: string) => ({ params: { id }, ...(body && { body }) })
  return { ...rest, call: async (server, cast) => call(await make(server, cast)), nowhere: () => call(newId(kind)) }
}

const evidence = about(async (server, cast) => (await sealed(server, cast)).evidence.id, 'evidence', { status: 200 })
const dpuSample = (body?: object): Sample =>
  about(
    async (server, cast) => (await newDpu(server, cast)).id,
    'dpu',
    { status: 200, foreign: { status: 404, code: 'DPU_NOT_FOUND' } },
    body,
  )
const draftSample = (wish: (cast: Cast) => object): Sample => {
  const call = (id: string, cast: Cast, hash = '0'.repeat(64)) => ({
    params: { id },
    body: { ...wish(cast), previous: `sha256:${hash}` },
  })
  return {
    ...{ status: 200, foreign: { status: 404, code: 'DPU_NOT_FOUND' } },
    call: async (server, cast) => {
      const { id, chainHash } = await newDpu(server, cast)
      return call(id, cast, chainHash)
    },
    nowhere: (cast) => call(newId('dpu'), cast),
  }
}
const ofPolicy = (status: number, body?: object): Sample =>
  about(async (server, cast) => (await newPolicy(server, cast)).id, 'policy', { status }, body)

const actionType = { name: { ko: '대출 상환', en: 'Loan payment' } }
const ofActionType = (status: number): Sample => {
  const call = (type: string) => ({ params: { type } })
  return {
    status,
    async call(server, cast) {
      const type = `loan.${newUuid()}`
      await server.call('PUT', `/api/action-types/${type}`, { token: await asAdmin(server, cast), body: actionType })
      return call(type)
    },
    nowhere: () => call(`loan.${newUuid()}`),
  }
}

/** The same with another name of the parameter. */
const decision = (status: number, body?: object): Sample => {
  const call = (eventId: string) => ({ params: { eventId }, ...(body && { body }) })
  return {
    status,
    call: async (server, cast) => call((await recorded(server, cast)).id),
    nowhere: () => call(newId('decisionEvent')),
  }
}

/** A decision that has the first of its two approvals, by the ADMIN. */
async function approvedOnce(server: TestServer, cast: Cast): Promise<string> {
  const token = await asAdmin(server, cast)
  const type = `loan.${newUuid()}`
  await made(server, '/api/policies', token, {
    name: 'Two people look at it',
    match: { actionTypes: [type] },
    guards: { dualApproval: true },
  })
  const event = sampleEvent({ action: { type } })
  const { id } = await made(server, '/api/v1/decision-events', await withKey(server, cast), event)
  const shown = await open(
    async (method, path, body) => (await server.call(method, path, { token, ...(body && { body }) })).body.data,
    id,
  )
  await made(server, `/api/decisions/${id}/approvals`, token, { result: 'approved', ...shown })
  return id
}

/** A decision that waits for a person: of the agent, or of this member. */
async function waiting(server: TestServer, cast: Cast, actor = sampleEvent().actor): Promise<string> {
  const type = `loan.${newUuid()}`
  await made(server, '/api/policies', await asAdmin(server, cast), { ...policy, match: { actionTypes: [type] } })
  const event = sampleEvent({ action: { type }, actor })
  return (await made(server, '/api/v1/decision-events', await withKey(server, cast), event)).id
}

const executor = 'attempt-1'

/** The digest of an action is known only when its decision exists. */
const consumption = (id: string, actionDigest: string) => ({ params: { id }, body: { actionDigest, executor } })

/** Of an execution whose first outcome is unknown: then another key than the consuming one may report. */
const outcome = (id: string) => ({ params: { id }, body: { executor, status: 'succeeded' } })

async function consumed(server: TestServer, cast: Cast): Promise<string> {
  const token = await server.world.key(cast.center)
  const { id, actionDigest } = await made(server, '/api/v1/decision-events', token, sampleEvent())
  await made(server, `/api/v1/decision-events/${id}/approvals`, token, approval)
  await made(server, `/api/v1/decision-events/${id}/consume`, token, { actionDigest, executor })
  await made(server, `/api/v1/decision-events/${id}/outcome`, token, { executor, status: 'unknown' })
  return id
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
const deputy = (actorId: string) => ({ body: { actorId, from: inDays(-1), until: inDays(7) } })

/** Of an agent that nobody has. */
const stopping = { actorId: 'agent-of-nobody', reason: 'Asked too often' }

async function stoppedIn(server: TestServer, token: string, path: string): Promise<string> {
  return (await server.call('POST', path, { token, body: stopping })).body.data.id
}

export const proofSamples: Readonly<Record<string, Sample>> = {
  'approvals.create': about(
    async (server, cast) => (await recorded(server, cast)).id,
    'decisionEvent',
    { status: 200 },
    approval,
  ),
  'decisionEvents.get': about(async (server, cast) => (await recorded(server, cast)).id, 'decisionEvent', {
    status: 200,
  }),
  'decisionEvents.consume': {
    async call(server, cast) {
      const { id, actionDigest } = await sealed(server, cast)
      return consumption(id, actionDigest)
    },
    status: 200,
    nowhere: () => consumption(newId('decisionEvent'), `sha256:${'0'.repeat(64)}`),
  },
  'decisionEvents.reportOutcome': {
    call: async (server, cast) => outcome(await consumed(server, cast)),
    status: 200,
    nowhere: () => outcome(newId('decisionEvent')),
  },
  'decisionEvents.withdraw': about(waiting, 'decisionEvent', { status: 200 }, { reason: 'Canceled.' }),
  'decisions.withdraw': {
    async call(server, cast) {
      const actor = { id: cast.admin.actorId, type: 'human' }
      return { params: { eventId: await waiting(server, cast, actor) }, body: {} }
    },
    status: 200,
    others: { status: 403, code: 'FORBIDDEN' },
    nowhere: () => ({ params: { eventId: newId('decisionEvent') }, body: {} }),
  },
  'decisions.ask': {
    async call(server, cast) {
      const waits = { name: 'Asked', match: { actionTypes: ['asked.for'] }, guards: { humanReview: true } }
      await made(server, '/api/policies', await asAdmin(server, cast), waits)
      return { body: { action: { type: 'asked.for', input: { sessions: 2 } } } }
    },
    status: 201,
    // Another center has no policy that asks about it.
    foreign: { status: 409, code: 'CONFLICT' },
    nowhere: () => ({ body: { action: { type: 'asked.for', input: { sessions: 3 } } } }),
  },
  'decisions.list': { call: () => ({}), status: 200 },
  'decisions.get': decision(200),
  'decisions.open': decision(200),
  'decisions.challengeApproval': withKeys(decision(200, { result: 'approved' })),
  'decisions.approve': decision(200, { result: 'approved' }),
  'decisions.takeBackApproval': {
    call: async (server, cast) => ({ params: { eventId: await approvedOnce(server, cast) } }),
    status: 200,
    others: { status: 409, code: 'CONFLICT' },
    nowhere: () => ({ params: { eventId: newId('decisionEvent') } }),
  },
  'decisions.comment': decision(201, { text: 'Why 40 boxes?' }),
  'decisions.endDeputy': {
    async call(server, cast) {
      const person = await server.world.person()
      await server.world.member(person, cast.center, 'INSTRUCTOR')
      const token = await asAdmin(server, cast)
      await server.call('PUT', '/api/decisions/deputy', { token, body: deputy(person.actorId).body })
      return {}
    },
    status: 204,
  },
  'decisions.setDeputy': {
    async call({ world }, { center }) {
      const person = await world.person()
      await world.member(person, center, 'INSTRUCTOR')
      return deputy(person.actorId)
    },
    status: 200,
    foreign: { status: 404, code: 'NOT_FOUND' },
    nowhere: () => deputy(newUuid()),
  },
  'evidence.get': evidence,
  'evidence.export': evidence,
  'dpus.getState': about(
    async (server, cast) => (await sealed(server, cast)).evidence.id.replace('evd_', 'dpu_'),
    'dpu',
    { status: 200 },
  ),
  'chains.listEntries': { call: () => ({ params: { domain: 'proof' } }), status: 200, namesNothing: true },
  'chains.getCheckpoint': { call: () => ({ params: { domain: 'proof' } }), status: 200, namesNothing: true },
  'chains.getInclusionProof': {
    async call(server, cast) {
      await sealedInBoth(server, cast)
      return { params: { domain: 'proof', index: '0' } }
    },
    status: 200,
    namesNothing: true,
  },
  'chains.getConsistencyProof': {
    async call(server, cast) {
      await sealedInBoth(server, cast)
      return { params: { domain: 'proof' }, query: 'from=1' }
    },
    status: 200,
    namesNothing: true,
  },
  'chains.listGenerations': { call: () => ({ params: { domain: 'proof' } }), status: 200, namesNothing: true },
  'logs.get': { call: () => ({}), status: 200 },
  'evidence.getContext': { call: () => ({}), status: 200 },
  'publicVerification.verify': {
    call: async (server, cast) => ({ params: { id: (await sealed(server, cast)).id } }),
    status: 200,
  },
  'agents.decide': {
    call: () => ({
      body: { agent: { id: 'agent-7' }, action: { type: 'stock.reorder' }, reason: 'Nine boxes left.' },
    }),
    status: 201,
  },
  'agents.requestApproval': {
    call: async (server, cast) => {
      await heldRequests(server, cast)
      return { body: approvalRequest() }
    },
    status: 202,
    // Nothing asks for an approval in the other center.
    foreign: { status: 409, code: 'CONFLICT' },
    namesNothing: true,
  },

  'dpus.createDemo': { call: () => ({ body: { content: 'Two sessions a week' } }), status: 201 },
  'dpus.list': { call: () => ({}), status: 200 },
  'dpus.getStats': { call: () => ({}), status: 200 },
  'dpus.verifyChain': { call: () => ({}), status: 200 },
  'dpus.get': dpuSample(),
  'drafts.edit': draftSample(() => ({ text: 'Three sessions a week' })),
  'drafts.send': draftSample(({ instructor }) => ({ reviewerId: instructor.actorId })),
  'drafts.refuse': draftSample(() => ({ reason: 'A week is missing.' })),
  'dpus.challengeRaise': withKeys(dpuSample({ evidenceLevel: 'DOCUMENTED' })),
  'dpus.update': dpuSample({ evidenceLevel: 'DOCUMENTED' }),
  'dpus.export': dpuSample(),
  'dpus.redact': { ...dpuSample({ paths: ['content'], reason: 'Asked for.' }), status: 201 },
  'dpus.verify': dpuSample(),
  'dpus.getResponsibility': dpuSample(),

  'policies.list': { call: () => ({}), status: 200 },
  'policies.create': { call: () => ({ body: policy }), status: 201 },
  'policies.update': ofPolicy(200, { active: false }),
  'policies.delete': ofPolicy(204),
  'policies.listVersions': ofPolicy(200),
  'actionTypes.list': { call: () => ({}), status: 200 },
  'actionTypes.get': ofActionType(200),
  'freezes.create': { call: () => ({ body: stopping }), status: 201, namesNothing: true },
  'freezes.list': { call: () => ({}), status: 200 },
  'freezes.getCoverage': { call: () => ({}), status: 200 },
  'freezes.lift': {
    call: async (server, cast) => ({
      params: { id: await stoppedIn(server, await asAdmin(server, cast), '/api/freezes') },
      body: { reason: 'Found' },
    }),
    status: 200,
    nowhere: () => ({ params: { id: newId('freeze') }, body: { reason: 'Found' } }),
  },
  'partner.createFreeze': {
    call: (_, { center }) => ({ params: { centerId: String(center.id) }, body: stopping }),
    status: 201,
    foreign: { status: 404, code: 'CENTER_NOT_FOUND' },
    nowhere: () => ({ params: { centerId: '2000000000' }, body: stopping }),
  },
  'partner.liftFreeze': {
    call: async (server, cast) => ({
      params: {
        centerId: String(cast.center.id),
        id: await stoppedIn(server, await asAdmin(server, cast), '/api/freezes'),
      },
      body: { reason: 'Found' },
    }),
    status: 200,
    foreign: { status: 404, code: 'CENTER_NOT_FOUND' },
    nowhere: () => ({ params: { centerId: '2000000000', id: newId('freeze') }, body: { reason: 'Found' } }),
  },
  'actionTypes.put': {
    call: () => ({ params: { type: `loan.${newUuid()}` }, body: actionType }),
    status: 200,
    namesNothing: true,
  },
  'actionTypes.delete': ofActionType(204),
  'policies.export': { call: () => ({}), status: 200 },
  'policies.exportAsMember': { call: () => ({}), status: 200 },
  // As it is: a file that ends the policies of other samples would wait for approval.
  'policies.import': { call: () => ({ query: 'dryRun=true', body: { version: 1, policies: [] } }), status: 200 },
  'policies.importAsMember': {
    call: () => ({ query: 'dryRun=true', body: { version: 1, policies: [] } }),
    status: 200,
  },
  'policies.checkAsMember': {
    call: () => ({ body: { agent: { id: 'agent-7' }, action: { type: 'loan.pay' } } }),
    status: 200,
  },
  'policies.check': { call: () => ({ body: { agent: { id: 'agent-7' }, action: { type: 'loan.pay' } } }), status: 200 },
}
