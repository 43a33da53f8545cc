/** A decision that an approver seals with a passkey in the console, whose level they raise with it, and whose proof holds offline, also redacted. */
import { readFile } from 'node:fs/promises'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { press, useSingleKeys, withoutPointer, write } from './keyboard.ts'
import { readAll } from './reading.ts'
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

it('by keyboard and passkey: read, seal, see the hash, verify the file offline, redact, and raise a level', async () => {
  const approver = await desk.person('박서연')
  const id = await desk.record()
  const page = await withoutPointer(await desk.visit(approver, '/me'))
  await addAuthenticator(page)
  await press(page.getByRole('button', { name: '패스키 등록' }))
  await press(page.getByRole('button', { name: '새 패스키로 서명' }))
  await page.getByText('패스키를 등록했습니다.').waitFor()
  await confirmPasskey(approver)

  await page.goto(desk.origin + address('/inbox'))
  await useSingleKeys(page)
  await page.getByRole('heading', { level: 1, name: /^환불: 금액 820,000/ }).waitFor()
  await page.getByText('다시 계산한 결과, 서버의 해시와 같습니다').waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('r')
  await page.getByText('반려 사유를 입력하세요.').waitFor()
  await page.keyboard.press('Escape')
  await readAll(page, () => page.keyboard.press('a'))
  expect(await violations(page)).toEqual([])
  for (let presses = 0; presses < 2; presses++) await page.keyboard.press('a')
  const told = page.locator('.inbox-told')
  await told.waitFor()
  expect(await told.textContent()).toContain('승인하고 봉인했습니다.')
  expect(await page.locator('.doc-head .seal-passkey').count()).toBe(1)
  expect(await violations(page)).toEqual([])

  const workers: string[] = []
  page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname))
  await press(page.getByRole('link', { name: '증명 보기' }))
  await page.locator('[data-check=intact][data-status=yes]').waitFor()
  // Not on the thread of the page, which would not answer meanwhile.
  expect(workers).toEqual([expect.stringMatching(/^\/console\/check-worker-[\w-]+\.js$/)])
  expect(await violations(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    press(page.getByRole('button', { name: '증명 내려받기' })),
  ])
  const proof = JSON.parse(await readFile(await file.path(), 'utf8'))
  const { policy } = (await desk.server.call('GET', '/.well-known/countersign-log.json')).body
  const verdict = verifyProof(proof, parsePolicy(policy))
  expect([verdict.intact.status, verdict.problems]).toEqual(['yes', []])
  expect(verdict.facts.decision?.approvals).toMatchObject([{ level: 'passkey', passkey: { status: 'holds' } }])
  expect(proof.evidence.event.action.input.amount).toBe(820_000)
  expect(proof.evidence.approval.channel).toBe('console')
  expect(proof.evidence.id.slice(4)).toBe(id.slice(4))

  const dialog = page.getByRole('dialog')
  await press(page.getByRole('button', { name: '삭제할 값 미리 보기' }))
  // By what it says: the path that it has in the proof is nobody's word.
  await write(dialog.getByLabel('이름, 번호 등으로 찾기'), '820,000')
  const found = await dialog
    .locator('.decisions-erasable')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-path')))
  expect(found).toContain('event.action.input')
  expect(found).not.toContain('event.reason')
  await press(dialog.locator('[data-path="event.action.input"]').getByRole('checkbox'))
  await write(dialog.getByLabel('이름, 번호 등으로 찾기'), '')
  await dialog.getByText('삭제 · 해시만 남음').waitFor()
  // What the server erases with it is in the preview too.
  await dialog.locator('[data-path=actionSalt]').getByText('함께 삭제').waitFor()
  expect(await dialog.locator('[data-path="event.reason"]').textContent()).toContain('입원으로')
  expect(await violations(page, { dialog: true })).toEqual([])
  await write(dialog.getByRole('textbox', { name: /사유/ }), '보호자의 요청')
  await press(dialog.getByRole('button', { name: '2개 삭제' }))
  await dialog.getByText('삭제했습니다.').waitFor()
  await press(dialog.getByRole('button', { name: '닫기' }))
  await page.getByText('삭제된 값 2개').waitFor()
  await page.locator('[data-check=intact][data-status=yes]').waitFor()
  const { accessToken: token } = await desk.server.signIn(approver, desk.center.domain)
  const { body: later } = await desk.server.call('GET', `/api/dpu/dpu_${id.slice(4)}/export`, { token })
  expect(JSON.stringify(later)).not.toContain('820000')
  expect(verifyProof(later, parsePolicy(policy)).intact.status).toBe('yes')

  // What an agent decided alone is below AUDIT_READY. The policy asks for a passkey: the first try is refused, a signature follows.
  await desk.policy({
    name: '큰 주문',
    match: { actionTypes: ['stock.*'] },
    guards: { riskThreshold: 0.5 },
    approval: { identity: 'passkey', roles: ['ADMIN'] },
  })
  const key = await desk.server.world.key(desk.center, { scopes: ['proof:write'] })
  const decided = await desk.server.call('POST', '/api/v1/agents/decide', {
    token: key,
    body: {
      agent: { id: 'agent-7', name: '재고 에이전트' },
      action: { type: 'stock.reorder', description: '40상자 주문', input: { sku: 'A-17' }, output: { boxes: 40 } },
      aiContext: { model: 'keeper-2', provider: 'in-house', confidence: 0.88 },
      riskScore: 0.2,
      reason: '아홉 상자 남음',
    },
  })
  await page.goto(desk.origin + address(`/decisions?id=${decided.body.data.eventId}`))
  await press(page.getByRole('button', { name: '수준 올리기' }))
  expect(await violations(page, { dialog: true })).toEqual([])
  await press(dialog.getByRole('button', { name: /올리기$/ }))
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('AUDIT_READY').first().waitFor()
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
}, 300_000)
