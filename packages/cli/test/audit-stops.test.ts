import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LittleService, littleService } from './little-service.ts'
import { countersign } from './program.ts'
import { consume, freeze, growing, seal } from './rules-chain.ts'

let service: LittleService
let folder: string
let proof: ReturnType<typeof growing>
let history: ReturnType<typeof growing>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audit-stops-'))
  service = await littleService({})
  proof = growing('proof')
  history = growing('history')
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const none = { index: null, inForce: [] }

async function audit(...more: string[]) {
  Object.assign(service.chains, { proof: proof.lines, history: history.lines })
  const args = ['audit', '--base-url', service.url, '--memory', join(folder, 'audit.json'), ...more]
  const { code, out, err } = await countersign(args, { env: { COUNTERSIGN_API_KEY: 'test-key' } })
  if (code === 2) throw new Error(err)
  return { code, out }
}

async function found() {
  const { code, out } = await audit('--json')
  const { chains } = JSON.parse(out) as { chains: { checks: Record<string, unknown>[] }[] }
  const checks = chains.flatMap((chain) => chain.checks).filter(({ about }) => about === 'stops')
  return { code, stops: checks.map(({ about: _, message: __, ...rest }) => rest) }
}

describe('stops', () => {
  it('hold where nothing that they cover was taken in between, and are counted', async () => {
    seal(proof, none)
    seal(proof, none)
    seal(proof, { index: 3, inForce: [] })
    expect((await found()).stops).toEqual([])
    consume(history, 0)
    freeze(history, 'frozen', { actorId: 'agent-7' })
    freeze(history, 'frozen', { actorId: 'agent-8' }, 'frz_b')
    freeze(history, 'lifted', { actorId: 'agent-7' })
    consume(history, 1)
    consume(history, 2)
    expect(await found()).toEqual({
      code: 0,
      stops: [{ status: 'yes', code: 'stops-hold', stops: 2, compared: 2 }],
    })
    expect((await audit()).out).toContain('Stops: 2. Decisions consumed: 2.')
    expect((await audit('--lang', 'ko')).out).toContain('정지 2건, 소비된 결정 2건.')
  })

  it.each([
    ['an agent, whatever its spelling', { actorId: 'AGENT-7 ' }],
    ['a key', { keyId: 'key_1' }],
    ['action types', { actionTypes: ['note', 'REF*'] }],
    ['the whole center', { center: true }],
  ])('of %s: something that was taken in between is found, however the history goes on', async (_, covers) => {
    seal(proof, none)
    freeze(history, 'frozen', covers)
    consume(history, 0)
    freeze(history, 'lifted', covers)
    expect(await found()).toEqual({
      code: 1,
      stops: [{ status: 'no', code: 'stops-run', index: 1, stop: 0 }],
    })
    expect((await audit()).out).toContain('CONSUMED WHILE STOPPED')
  })

  it('find what was sealed in between and taken later', async () => {
    freeze(history, 'frozen', { actorId: 'agent-7' })
    seal(proof, { index: 0, inForce: [] })
    freeze(history, 'lifted', { actorId: 'agent-7' })
    consume(history, 0)
    expect(await found()).toMatchObject({ code: 1, stops: [{ code: 'stops-sealed', index: 2, stop: 0 }] })
  })

  it('that do not show what they cover, or are lifted twice, are found', async () => {
    freeze(history, 'frozen', { actorId: 'agent-7' })
    freeze(history, 'lifted', { actorId: 'agent-7' })
    freeze(history, 'lifted', { actorId: 'agent-7' })
    expect(await found()).toMatchObject({ code: 1, stops: [{ code: 'stops-order', index: 2 }] })
    const [line] = history.lines as [(typeof history.lines)[number]]
    const { covers: _, ...hidden } = line.values ?? {}
    history.lines[0] = { ...line, values: hidden }
    expect((await found()).stops.map(({ code }) => code)).toContain('stops-unshown')
  })

  it('say where the seal of a run is missing', async () => {
    freeze(history, 'frozen', { actorId: 'agent-7' })
    consume(history, 5)
    seal(proof, none)
    expect(await found()).toMatchObject({ code: 0, stops: [{ status: 'unknown', code: 'stops-unknown', unknown: 1 }] })
  })

  it('cannot be held against a decision whose agent is redacted, unless another stop covers it', async () => {
    seal(proof, none)
    const [line] = proof.lines as [(typeof proof.lines)[number]]
    const { 'event.actor.id': _, ...values } = line.values ?? {}
    proof.lines[0] = { ...line, values }
    freeze(history, 'frozen', { actorId: 'agent-7' })
    freeze(history, 'frozen', { keyId: 'key_9' }, 'frz_b')
    consume(history, 0)
    expect(await found()).toMatchObject({
      code: 0,
      stops: [{ status: 'unknown', code: 'stops-unknown', compared: 0, unknown: 1 }],
    })
    freeze(history, 'frozen', { actionTypes: ['refund'] }, 'frz_c')
    consume(history, 0)
    expect((await found()).stops).toMatchObject([{ status: 'no', code: 'stops-run' }])
  })

  it('that were lifted before leave nothing open about a redacted agent', async () => {
    seal(proof, none)
    const [line] = proof.lines as [(typeof proof.lines)[number]]
    const { 'event.actor.id': _, ...values } = line.values ?? {}
    proof.lines[0] = { ...line, values }
    freeze(history, 'frozen', { actorId: 'agent-7' })
    freeze(history, 'lifted', { actorId: 'agent-7' })
    consume(history, 0)
    expect(await found()).toMatchObject({ code: 0, stops: [{ status: 'yes', compared: 1 }] })
  })
})
