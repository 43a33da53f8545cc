/** An approval that a passkey signed on a server, verified after the server has stopped: library, CLI, Python, page. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countersign } from '@countersign/cli/test/program.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askPython } from '../interop/python.ts'
import { open } from '../support/approving.ts'
import { countingPasskey } from '../support/passkeys.ts'
import { openProofFixture } from '../support/proof-fixture.ts'
import { startServer } from '../support/server.ts'
import { openBrowser } from './browser.ts'

let folder: string
let [text, policyText, rpId] = ['', '', '']
const [proofFile, policyFile] = [() => join(folder, 'proof.jsonld'), () => join(folder, 'policy.txt')]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passkey-'))
  const server = await startServer()
  try {
    const fixture = await openProofFixture(server)
    await fixture.policy({ humanReview: true }, { approval: { identity: 'passkey' } })
    const { admin, instructor, instructorToken: token, center } = fixture
    const { device } = await countingPasskey(server, instructor, center, admin)
    const { id, evidence } = await fixture.record()
    const path = `/api/decisions/${id}/approvals`
    const shown = await open(
      async (method, path, body) => (await server.call(method, path, { token, ...(body && { body }) })).body.data,
      id,
    )
    const body = { result: 'approved', reason: 'Agrees with my own assessment.', ...shown }
    const { publicKey } = (await server.call('POST', `${path}/challenge`, { token, body })).body.data
    const assertion = device.answer(publicKey.challenge)
    const given = await server.call('POST', path, { token, body: { ...body, assertion } })
    if (given.status !== 200) throw new Error(given.text)
    text = (await fixture.v1('GET', `/api/v1/evidence/${evidence.id}/export`)).text
    policyText = (await server.call('GET', '/.well-known/countersign-log.json')).body.policy
    rpId = server.services.passkeyHost.rpId
  } finally {
    await server.close()
  }
  await writeFile(proofFile(), text)
  await writeFile(policyFile(), policyText)
})
afterAll(() => rm(folder, { recursive: true }))

it('holds in the library, under the policy that the server had published', () => {
  const verdict = verifyProof(JSON.parse(text), parsePolicy(policyText))
  expect(verdict.problems).toEqual([])
  expect(verdict.standing).toBe('holds')
  expect(verdict.facts.decision?.approvals).toMatchObject([{ level: 'passkey', passkey: { status: 'holds' } }])
})

it('holds in the CLI, which says what is proved and what is not', async () => {
  const { code, out } = await countersign(['verify', proofFile(), '--trust', policyFile()], { env: { LANG: 'en' } })
  expect(out).toContain(`signed exactly this approval at the host ${rpId}`)
  expect(out).toContain('what was on the screen (a page can only report what it showed)')
  expect(code).toBe(0)
})

it('holds in Python', async () => {
  const [verdict] = await askPython([JSON.stringify(JSON.parse(text))], '--trust', policyFile())
  expect(verdict).toMatchObject({ standing: 'holds', passkeys: ['holds'] })
})

it('holds on the page, from the disk and without a network', async () => {
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ locale: 'en-US' })
    await context.setOffline(true)
    const page = await context.newPage()
    await page.goto(new URL('../../apps/verifier/dist/verify.html', import.meta.url).href)
    await page.locator('#choose').setInputFiles(policyFile())
    await page.locator('#accept-policy').click()
    await page.locator('#choose').setInputFiles(proofFile())
    await page.getByText(`signed exactly this approval at the host ${rpId}`).first().waitFor()
    expect(await page.locator('#approvals li').first().getAttribute('data-level')).toBe('passkey')
  } finally {
    await browser.close()
  }
})
