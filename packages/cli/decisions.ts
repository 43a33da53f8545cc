/** `decisions list | show | wait | tail` and `approve`. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from './command-line.ts'
import { type Given, safe } from './given.ts'
import { minuteOf, table } from './table.ts'

interface Summary {
  readonly id: string
  readonly status: string
  readonly createdAt: string
  readonly actor: { readonly id: string; readonly name?: string | null }
  readonly action: { readonly type: string }
}

interface Decision extends Summary {
  readonly action: Summary['action'] & { readonly input?: unknown }
  readonly waiting: { readonly since: string; readonly approvalUrl?: string; readonly expiresAt: string | null } | null
  readonly approvals: readonly {
    readonly approver: { readonly id: string; readonly name?: string | null }
    readonly result: string
    readonly reason?: string | null
  }[]
  readonly usableUntil: string | null
  readonly execution: { readonly consumedAt: string; readonly outcome: { readonly status: string } | null } | null
}

interface Page {
  readonly data: readonly Summary[]
}

/** 0: sealed. 1: refused. 4: it still waits. */
export const exitOf = ({ status }: Pick<Decision, 'status'>): 0 | 1 | 4 =>
  status === 'rejected' ? 1 : status === 'sealed' ? 0 : 4

function queryOf(given: Given, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(more)
  for (const [option, name] of [
    ['status', 'status'],
    ['actor', 'actorId'],
    ['tag', 'tag'],
    ['limit', 'limit'],
  ] as const) {
    const value = given.text(option)
    if (value !== undefined) query.set(name, value)
  }
  if (given.options.waiting) query.set('waiting', 'true')
  return query.size > 0 ? `?${query}` : ''
}

const rowOf = ({ id, status, createdAt, actor, action }: Summary): string[] => [
  safe(id),
  safe(minuteOf(createdAt)),
  safe(status),
  safe(action.type),
  safe(actor.name ?? actor.id),
]

async function pageOf(given: Given, more?: Readonly<Record<string, string>>): Promise<readonly Summary[]> {
  const { client, signed } = given
  const { data } = await client().json<Page>(`${signed().baseUrl}/api/v1/decision-events${queryOf(given, more)}`)
  return data
}

export async function listDecisions(given: Given): Promise<number> {
  const page = await pageOf(given)
  given.print(page, page.length === 0 ? [given.say('noDecisions')] : table(page.map(rowOf)))
  return 0
}

const idIn = ({ words: [id, ...more], say, command }: Given): string => {
  if (id === undefined || more.length > 0) throw new UsageError(say('oneDecision'), command)
  return id
}

const decisionOf = (given: Given, id: string): Promise<Decision> =>
  given.call<Decision>('GET', `/decision-events/${encodeURIComponent(id)}`)

function linesOf(decision: Decision, { say }: Given): string[] {
  const { action, waiting, approvals, usableUntil, execution } = decision
  return [
    ...table([
      [say('decisionId'), safe(decision.id)],
      [
        say('decisionStatus'),
        waiting === null ? safe(decision.status) : say('decisionWaits', { status: decision.status }),
      ],
      [say('decisionAction'), safe(action.type)],
      ...(action.input === undefined ? [] : [[say('decisionValues'), safe(JSON.stringify(action.input))]]),
      [say('decisionActor'), safe(decision.actor.name ?? decision.actor.id)],
      [say('decisionAt'), safe(decision.createdAt)],
      ...(usableUntil === null ? [] : [[say('usable'), say('usableFacts', { until: usableUntil })]]),
      ...approvals.map(({ approver, result, reason }) => [
        say(result === 'approved' ? 'approval' : 'refusal'),
        `${safe(approver.name ?? approver.id)}${reason ? `: ${safe(reason)}` : ''}`,
      ]),
      ...(execution === null ? [] : [[say('execution'), executionIn(execution, say)]]),
      ...(waiting === null || waiting.expiresAt === null ? [] : [[say('decisionUntil'), safe(waiting.expiresAt)]]),
      ...(waiting?.approvalUrl === undefined ? [] : [[say('decisionPage'), safe(waiting.approvalUrl)]]),
    ]),
  ]
}

/** As verdicts say it: an execution is reported, not proved. */
function executionIn({ consumedAt: at, outcome }: NonNullable<Decision['execution']>, say: Given['say']): string {
  const known = ['succeeded', 'failed', 'unknown'].find((each) => each === outcome?.status)
  return say(known === undefined ? 'executionTaken' : (`execution${known}` as 'executionunknown'), { at })
}

export async function showDecision(given: Given): Promise<number> {
  const decision = await decisionOf(given, idIn(given))
  given.print(decision, linesOf(decision, given))
  return 0
}

const pause = 2000

export const secondsIn = (given: Given, name: string): number | undefined => {
  const value = given.text(name)
  if (value === undefined) return undefined
  if (!/^\d+$/.test(value)) throw new UsageError(given.say('badSeconds', { name: `--${name}` }), given.command)
  return Number(value)
}

/** Asks until it no longer waits, or until the time is over. */
export async function settled(given: Given, id: string, seconds: number | undefined): Promise<Decision> {
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000
  let told = false
  for (;;) {
    const decision = await decisionOf(given, id)
    const left = until - Date.now()
    if (exitOf(decision) !== 4 || left <= 0) return decision
    if (!told) given.note(given.say('waitingAt', { url: decision.waiting?.approvalUrl ?? '–' }))
    told = true
    await sleep(Math.min(pause, left))
  }
}

export async function waitForDecision(given: Given): Promise<number> {
  const decision = await settled(given, idIn(given), secondsIn(given, 'timeout'))
  given.print(decision, linesOf(decision, given))
  return exitOf(decision)
}

/** Prints each decision once, until it is stopped. */
export async function tailDecisions(given: Given): Promise<number> {
  const known = new Set((await pageOf(given, { limit: '50' })).map(({ id }) => id))
  given.note(given.say('tailing'))
  const end = secondsIn(given, 'timeout')
  const until = end === undefined ? Number.POSITIVE_INFINITY : Date.now() + end * 1000
  while (Date.now() < until) {
    await sleep(Math.min(pause, until - Date.now()))
    const fresh = (await pageOf(given, { limit: '50' })).filter(({ id }) => !known.has(id)).toReversed()
    for (const each of fresh) {
      known.add(each.id)
      given.print(each, table([rowOf(each)]))
    }
  }
  return 0
}

/** Only on a terminal: a script gets the address. */
export async function approve(given: Given): Promise<number> {
  const decision = await decisionOf(given, idIn(given))
  const url = decision.waiting?.approvalUrl
  if (url === undefined) {
    given.print({ id: decision.id, status: decision.status, approvalUrl: null }, [given.say('notWaiting')])
    return exitOf(decision) === 1 ? 1 : 0
  }
  given.print({ id: decision.id, status: decision.status, approvalUrl: url }, [safe(url)])
  if (process.stdout.isTTY && !given.options.json && /^https?:\/\//.test(url)) opened(url)
  return 4
}

export function opened(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer.exe'] : ['xdg-open']
  const child = spawn(program as string, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
