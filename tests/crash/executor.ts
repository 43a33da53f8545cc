/** Executors as clients see them: each remembers its name and what it ran, and forgets both when it dies. */
import { randomUUID } from 'node:crypto'
import { actionDigest } from '@countersign/proof/action-digest.ts'
import type { Client } from '../support/client.ts'
import type { Fixture } from './ledger.ts'

export interface Decision {
  readonly fixture: Fixture
  readonly id: string
  readonly digest: string
}

export interface Executor {
  readonly name: string
  readonly decision: Decision
  /** A dead one neither runs nor asks again. */
  alive: boolean
  ran: boolean
}

/** What was run, and what clients were told. */
export interface Ledger {
  /** One line for each run: the id of the decision. */
  readonly runs: string[]
  readonly consumed: { readonly decision: Decision; readonly executor: string; readonly hash: string }[]
  readonly reported: { readonly decision: Decision; readonly status: string; readonly hash: string }[]
}

export const openLedger = (): Ledger => ({ runs: [], consumed: [], reported: [] })

interface Told {
  /** `none`: the connection ended before an answer. */
  readonly status: number | 'none'
  // biome-ignore lint/suspicious/noExplicitAny: the client has compared it with the contract.
  readonly data: any
  readonly executor: string | undefined
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A busy server answers 503: the client asks again, with the same body. */
async function tell(client: Client, { fixture, id }: Decision, what: string, body: object): Promise<Told> {
  for (let tries = 0; ; tries++) {
    const told = await client.call('POST', `/api/v1/decision-events/${id}/${what}`, { token: fixture.key, body }).then(
      (answer): Told => ({
        status: answer.status,
        data: answer.body?.data,
        executor: answer.body?.error?.details?.executor,
      }),
      (error: Error): Told => {
        if (/outside the contract/.test(error.message)) throw error
        return { status: 'none', data: undefined, executor: undefined }
      },
    )
    if (told.status !== 503 || tries === 20) return told
    await pause(500)
  }
}

const won = 82_000
const action = { type: 'money.transfer', input: { to: 'KR-110-220', won } }
const recording = { type: 'agent_execution', actor: { id: 'agent-7', type: 'ai_agent' }, action }

export async function record(client: Client, fixture: Fixture): Promise<Decision> {
  const { status, body, text } = await client.call('POST', '/api/v1/decision-events', {
    token: fixture.key,
    body: recording,
  })
  if (status !== 201) throw new Error(`could not record: ${text}`)
  const { id, actionSalt } = body.data
  return { fixture, id, digest: actionDigest(actionSalt, recording) }
}

export const approve = (client: Client, decision: Decision): Promise<Told> =>
  tell(client, decision, 'approvals', { approver: { id: 'kim', type: 'human' }, result: 'approved' })

export const newExecutor = (decision: Decision): Executor => ({
  name: randomUUID(),
  decision,
  alive: true,
  ran: false,
})

/** Consumes; with a 200 it runs, unless it dies before or has run. */
export async function act(client: Client, ledger: Ledger, executor: Executor, diesBefore = false): Promise<Told> {
  const { decision, name } = executor
  const told = await tell(client, decision, 'consume', { actionDigest: decision.digest, executor: name })
  if (told.status !== 200) return told
  ledger.consumed.push({ decision, executor: name, hash: told.data.chainHash })
  if (diesBefore) executor.alive = false
  if (!executor.alive || executor.ran) return told
  executor.ran = true
  ledger.runs.push(decision.id)
  return told
}

export async function report(
  client: Client,
  ledger: Ledger,
  decision: Decision,
  body: { readonly executor: string; readonly status: string },
): Promise<Told> {
  const told = await tell(client, decision, 'outcome', body)
  if (told.status === 200) ledger.reported.push({ decision, status: body.status, hash: told.data.chainHash })
  return told
}
