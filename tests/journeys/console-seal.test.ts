/** A decision that an approver seals with a passkey in the console, and whose proof holds offline. */
import { readFile } from 'node:fs/promises'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

let desk: ConsoleDesk
const address = (path: string): string => `/c/${desk.center.domain}${path}`

beforeAll(async () => {
  desk = await openConsole()
  await desk.policy({ approval: { identity: 'passkey', roles: ['ADMIN'], expiresAfterSeconds: 86_400 } })
}, 180_000)
afterAll(() => desk?.close())

/** An ADMIN confirms the newest passkey of a member, as the center does after the check number was read out. */
async function confirmPasskey(person: Person): Promise<void> {
  const { server, center } = desk
  await server.services.passkeyOutbox.deliver()
  const { accessToken: token } = await server.signIn(await desk.person('최원장'), center.domain)
  const path = `/api/centers/${center.id}/members/${person.actorId}/passkeys`
  const { body } = await server.call('GET', path, { token })
  const { status, text } = await server.call('POST', `${path}/${body.data[0].id}/confirm`, { token, body: {} })
  if (status !== 200) throw new Error(text)
}

it('by keyboard and passkey: read, seal, see the hash, and verify the file offline', async () => {
  const approver = await desk.person('박서연')
  const id = await desk.record()
  const page = await desk.visit(approver, '/me')
  await addAuthenticator(page)
  await page.getByRole('button', { name: '패스키 등록하기' }).click()
  await page.getByRole('button', { name: '새 패스키로 서명하기' }).click()
  await page.getByText('패스키를 등록했습니다.').waitFor()
  await confirmPasskey(approver)

  await page.goto(desk.origin + address('/inbox'))
  await page.getByRole('heading', { level: 1, name: /820,000원 환불/ }).waitFor()
  await page.getByText('이 브라우저에서 다시 계산했고, 서버의 것과 같습니다').waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('r')
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  const told = page.locator('.inbox-told, .inbox-opinion .fault:not(:empty)')
  await told.waitFor()
  expect(await told.textContent()).toContain('승인을 봉인했습니다.')
  expect(await page.locator('.doc-head .seal-passkey').count()).toBe(1)
  expect(await violations(page)).toEqual([])

  const workers: string[] = []
  page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname))
  await page.getByRole('link', { name: '증명 보기' }).click()
  await page.locator('[data-check=intact][data-status=yes]').waitFor()
  // Not on the thread of the page, which would not answer meanwhile.
  expect(workers).toEqual([expect.stringMatching(/^\/console\/check-worker-[\w-]+\.js$/)])
  expect(await violations(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '증명 내려받기' }).click(),
  ])
  const proof = JSON.parse(await readFile(await file.path(), 'utf8'))
  const { policy } = (await desk.server.call('GET', '/.well-known/countersign-log.json')).body
  const verdict = verifyProof(proof, parsePolicy(policy))
  expect([verdict.intact.status, verdict.problems]).toEqual(['yes', []])
  expect(verdict.facts.decision?.approvals).toMatchObject([{ level: 'passkey', passkey: { status: 'holds' } }])
  expect(proof.evidence.event.action.input.amount).toBe(820_000)
  expect(proof.evidence.approval.channel).toBe('console')
  expect(proof.evidence.id.slice(4)).toBe(id.slice(4))
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
}, 120_000)
