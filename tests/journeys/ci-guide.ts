/** The guide "Testing": two CI jobs at once, each from an empty folder with the packed packages, and a sandbox of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { blocksOf, read } from '../docs/blocks.ts'
import type { TestServer } from '../support/server.ts'
import { beginHour } from './hour.ts'
import { inShell, plainEnvironment } from './shell.ts'

const labelled = (label: string) =>
  blocksOf(read('docs/guides/testing.md')).find((each) => each.label === label)?.text ?? ''

export async function followCiGuide(server: TestServer, tarballs: string): Promise<void> {
  const { world } = server
  const [center, admin] = [await world.center(), await world.person()]
  await world.member(admin, center, 'ADMIN')
  const { accessToken: token } = await server.signIn(admin, center.domain)
  const policy = {
    name: 'Large refunds',
    match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/won', op: 'gt', value: 100_000 }] },
    guards: { humanReview: true },
    approval: { identity: 'passkey' },
  }
  expect((await server.call('POST', '/api/policies', { token, body: policy })).status).toBe(201)
  const made = await server.call('POST', '/api/api-keys', { token, body: { name: 'CI', scopes: ['sandboxes:write'] } })
  const own = { COUNTERSIGN_URL: server.url, COUNTERSIGN_API_KEY: made.body.data.key }
  const { policy: trust } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  expect(labelled('ci')).toContain('npm run pack -- --into')

  const job = async (RUN: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-ci-'))
    const hour = beginHour(`CI job ${RUN}, beside another one`)
    const shell = { folder, env: plainEnvironment({ ...own, COUNTERSIGN_TRUST_FILE: 'countersign.trust', RUN }) }
    try {
      const install = `npm init -y > /dev/null; npm install --no-audit --no-fund --prefer-offline ${tarballs}`
      await hour.step('install the packages', () => inShell(shell, install))
      writeFileSync(join(folder, 'countersign.trust'), trust)
      for (const label of ['refunds.test.mjs', 'job.sh']) writeFileSync(join(folder, label), labelled(label))
      const said = await hour.step('the job: a sandbox, the tests, its end', () => inShell(shell, 'sh job.sh'))
      expect(said).toMatch(/pass 2\n[\s\S]*fail 0\n[\s\S]*Sandbox \d+ has ended\./)
      expect(hour.end()).toBeLessThan(5 * 60)
      return said
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const ended = (await Promise.all(['101', '102'].map(job))).map((said) => /Sandbox (\d+) has ended/.exec(said)?.[1])
  expect(new Set(ended).size).toBe(2)
  expect((await server.call('GET', '/api/v1/sandboxes', { token: made.body.data.key })).body.data).toEqual([])
  expect((await server.call('GET', '/api/decisions', { token })).body.data).toEqual([])

  // The center's rule is what the tests hold: without it, they fail, and the sandbox ends all the same.
  const [{ id }] = (await server.call('GET', '/api/policies', { token })).body.data
  await server.call('PATCH', `/api/policies/${id}`, { token, body: { active: false } })
  await expect(job('103')).rejects.toThrow(/fail 1/)
  expect((await server.call('GET', '/api/v1/sandboxes', { token: made.body.data.key })).body.data).toEqual([])
}
