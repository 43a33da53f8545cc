/** A server whose pages a browser opens at localhost, a center with people, and decisions that wait. */

import { waitingDecisionsJob } from '@countersign/server/features/evidence/decisions/waiting-decisions.job.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { buildConsole } from '../../tools/build-console.ts'
import { freePort } from '../../tools/postgres.ts'
import { type AsMember, open } from './approving.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { startServer, type TestServer } from './server.ts'
import type { Center, Person } from './world.ts'

export interface Desk {
  readonly server: TestServer
  readonly mailbox: Mailbox
  readonly origin: string
  readonly center: Center
  /** Records and consumes. */
  readonly key: string
  /** Signs in as this person on the page that is open. */
  signIn(page: Page, person: Person): Promise<void>
  person(name: string, role?: string, center?: Center): Promise<Person>
  /** One that loosens has `pending` until it is approved. */
  policy(overrides?: object): Promise<{ readonly pending: { readonly eventId: string } }>
  record(overrides?: Record<string, unknown>): Promise<string>
  open(browser: Browser, path: string, options?: BrowserContextOptions): Promise<Page>
  /** Runs the job that tells people by mail and refuses what has expired. */
  tell(): Promise<void>
  /** The address in the mail to this person that ends like this. */
  mailed(person: Person, end: string): Promise<string>
  approveAs(person: Person, id: string): Promise<void>
  readonly complaints: string[]
  readonly foreign: string[]
  close(): Promise<void>
}

export const refund = {
  type: 'ai_recommendation',
  actor: { id: 'agent-refunds', type: 'ai_agent', name: '상담 에이전트' },
  action: {
    type: 'refund.pay',
    description: '이하늘 님에게 820,000원 환불',
    input: { 결제: '11월 3일 1,640,000원의 절반', amount: 820_000, 계좌: '결제한 카드로 취소', lessons: { left: 8 } },
    output: { state: 'planned' },
  },
  aiContext: { model: 'planner-3', provider: 'in-house', confidence: 0.71, reasoning: '진단서를 보지 못함' },
  reason: '입원으로 남은 수업 8회 취소',
  riskScore: 0.42,
  tags: ['refund'],
}

/** A Korean text is sent in base64, or as bytes in quoted-printable, which the mailbox decodes. */
export function plain(text: string): string {
  const [head = '', ...body] = text.split(/\r?\n\r?\n/)
  const bytes = /encoding: base64/i.test(head) ? Buffer.from(body.join('\n'), 'base64') : Buffer.from(text, 'latin1')
  return bytes.toString()
}

export async function openDesk(more: Record<string, string> = {}, { jobs = false } = {}): Promise<Desk> {
  await buildConsole()
  const [mailbox, port] = [await openMailbox(), await freePort()]
  const origin = `http://localhost:${port}`
  const env = { PORT: String(port), PUBLIC_URL: origin, SMTP_URL: mailbox.url, ...more }
  const server = await startServer({ env, jobs })
  const { world } = server
  const center = await world.center({ name: '하늘발달센터' })
  const person = async (name: string, role = 'ADMIN', at: Center = center): Promise<Person> => {
    const made = await world.person()
    await world.query('update directory.actors set name = $2 where id = $1', [made.actorId, name])
    await world.member(made, at, role)
    return made
  }
  const admin = await person('관리자')
  const key = await world.key(center, { scopes: ['proof:write'] })
  const done = async (path: string, token: string, body: object) => {
    const answer = await server.call('POST', path, { token, body })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
    return answer.body.data
  }
  const tell = () => waitingDecisionsJob(server.services, 'main', { centerId: center.id })
  const complaints: string[] = []
  const foreign: string[] = []
  return {
    ...{ server, mailbox, origin, center, key, person, complaints, foreign },
    async policy(overrides = {}) {
      // A new session each time: a long run outlasts an access token.
      const { accessToken } = await server.signIn(admin, center.domain)
      return done('/api/policies', accessToken, {
        name: '50만원을 넘는 환불은 관리자가 하루 안에 승인합니다.',
        match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 500_000 }] },
        guards: { humanReview: true },
        approval: { roles: ['ADMIN'], expiresAfterSeconds: 86_400 },
        ...overrides,
      })
    },
    record: async (overrides = {}) => (await done('/api/v1/decision-events', key, { ...refund, ...overrides })).id,
    async signIn(page, { email, password }) {
      await page.locator('input[type=email]').fill(email)
      await page.locator('input[type=password]').fill(password)
      await page.keyboard.press('Enter')
    },
    async open(browser, path, options = {}) {
      const context = await browser.newContext({
        locale: 'ko-KR',
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
        ...options,
      })
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        // The browser reports every status of 400 and more.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text())
      })
      page.on('request', (request) => {
        if (!request.url().startsWith(origin) && !/^(data|blob|file):/.test(request.url())) foreign.push(request.url())
      })
      await page.goto(new URL(path, origin).href)
      return page
    },
    tell,
    async mailed({ email }, end) {
      await tell()
      await server.services.mail.close()
      for (const { to, text } of mailbox.messages) {
        const body = plain(text)
        const found = to.includes(email) && body.split(/\s/).find((word) => word.endsWith(end))
        if (found) return found
      }
      throw new Error(`no address that ends in ${end} was mailed to ${email}`)
    },
    async approveAs(who, id) {
      const session = await server.signIn(who, center.domain)
      const ask: AsMember = async (method, path, body) =>
        (await server.call(method, path, { token: session.accessToken, ...(body && { body }) })).body.data
      const shown = await open(ask, id)
      await done(`/api/decisions/${id}/approvals`, session.accessToken, { result: 'approved', ...shown })
    },
    async close() {
      await server.close()
      await mailbox.close()
    },
  }
}
