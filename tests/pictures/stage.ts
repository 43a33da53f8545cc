/** A console with a witness, a receiver of webhooks that fails at times, and the story of a week. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vkeyOf } from '@countersign/proof/signed-note.ts'
import { localSigner } from '@countersign/server/sealing/log-keys.ts'
import { runWitness, witnessFolder } from '../../packages/witness/test/program.ts'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import { startConsumer } from '../support/consumer.ts'
import { localNetworks } from '../support/webhook-fixture.ts'
import { type Story, tellStory } from './story.ts'

export async function prepare(): Promise<{ desk: ConsoleDesk; story: Story; close(): Promise<void> }> {
  const seed = randomBytes(32)
  const host = 'countersign.test'
  const home = witnessFolder([vkeyOf(host, 1, localSigner(seed).publicKey)])
  const witness = await runWitness(home.path)
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
  writeFileSync(join(folder, 'witnesses'), `witness w1 ${home.vkey} ${witness.url}\nquorum w1\n`)
  const consumer = await startConsumer()
  consumer.answer(({ envelope }) => (envelope.type.startsWith('agent.') ? 503 : 200))
  const desk = await openConsole({
    ...localNetworks,
    TLOG_HOST: host,
    TLOG_KEY: seed.toString('base64'),
    TLOG_POLICY_FILE: join(folder, 'witnesses'),
  })
  desk.server.services.deliveryWorkers.start()
  return {
    desk,
    story: await tellStory(desk, consumer.url),
    async close() {
      await desk.close()
      await consumer.close()
      await witness.kill('SIGKILL')
      home.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
