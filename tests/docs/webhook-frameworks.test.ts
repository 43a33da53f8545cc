/** The receivers of the guide in web frameworks accept a delivery and refuse a forged one. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deliveryHeaders, envelopeBody, signingKey } from '@countersign/server/features/automation/webhooks/signing.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { npmPackages } from '../interop/installed.ts'
import { inBackground, inShell, plainEnvironment } from '../journeys/shell.ts'
import { blocksOf, read, root } from './blocks.ts'

const guide = read('docs/guides/webhooks.md')
const packages = ['express@5.3.0', 'fastify@5.12.8', 'hono@4.13.17', '@hono/node-server@2.1.6']
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

let folder: string
let port: number
beforeAll(async () => {
  const installed = await npmPackages('web-frameworks', packages)
  await mkdir(join(root, '.dev'), { recursive: true })
  folder = await mkdtemp(join(root, '.dev/docs-frameworks-'))
  await symlink(join(installed, 'node_modules'), join(folder, 'node_modules'))
  port = await freePort()
  for (const { label, text } of blocksOf(guide)) {
    const name = label.replace('app/webhooks/route.js', 'route.mjs')
    if (name.endsWith('.mjs')) await writeFile(join(folder, name), text.replaceAll('8080', String(port)))
  }
}, 600_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const shell = () => ({ folder, env: plainEnvironment({ SECRET: secret }) })
const event = {
  id: 'pay-1',
  type: 'payment.failed',
  createdAt: new Date().toISOString(),
  data: '{"amount":1}',
  attempt: 1,
}
const text = envelopeBody(event)
const headers = () => ({
  ...deliveryHeaders({
    ...{ body: Buffer.from(text), eventId: event.id, attempt: 1, at: Date.now() },
    secrets: [signingKey(secret)],
  }),
})

it('names the versions that are tested', () => {
  for (const each of packages.slice(0, 3)) expect(guide.replaceAll(/\s+/g, ' ')).toContain(each.replace('@', ' '))
})

it.each(['express', 'fastify', 'hono'])('%s', async (name) => {
  const receiver = inBackground(shell(), `exec node ${name}.mjs`)
  try {
    await receiver.shows('listening', 30_000)
    const post = async (body: string) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: headers(), body })).status
    expect([await post(text), await post(`${text} `)]).toEqual([204, 401])
    expect(receiver.output()).toBe('listening\nnew payment.failed pay-1\n')
  } finally {
    await receiver.interrupt(10_000)
  }
})

it('the route of Next', async () => {
  const program = `import { POST } from './route.mjs'
    for (const body of [process.env.BODY, process.env.BODY + ' ']) {
      const init = { method: 'POST', body, headers: JSON.parse(process.env.HEADERS) }
      console.log((await POST(new Request('http://a.example/webhooks', init))).status)
    }`
  await writeFile(join(folder, 'caller.mjs'), program)
  const env = { ...shell().env, BODY: text, HEADERS: JSON.stringify(headers()) }
  expect(await inShell({ folder, env }, 'node caller.mjs', 30_000)).toBe('new payment.failed pay-1\n204\n401\n')
})
