import { describe, expect, it } from 'vitest'
import { audited } from './audited.ts'
import { consume, freeze, seal } from './rules-chain.ts'

const { own, audit, found: foundOf } = audited()
const none = { index: null, inForce: [] }

async function found() {
  const { code, checks } = await foundOf('stops')
  return { code, stops: checks }
}

describe('stops', () => {
  it('hold where nothing that they cover was taken in between, and are counted', async () => {
    seal(own.proof, none)
    seal(own.proof, none)
    seal(own.proof, { index: 3, inForce: [] })
    expect((await found()).stops).toEqual([])
    consume(own.history, 0)
    freeze(own.history, 'frozen', { actorId: 'agent-7' })
    freeze(own.history, 'frozen', { actorId: 'agent-8' }, 'frz_b')
    freeze(own.history, 'lifted', { actorId: 'agent-7' })
    consume(own.history, 1)
    consume(own.history, 2)
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
    seal(own.proof, none)
    freeze(own.history, 'frozen', covers)
    consume(own.history, 0)
    freeze(own.history, 'lifted', covers)
    expect(await found()).toEqual({
      code: 1,
      stops: [{ status: 'no', code: 'stops-run', index: 1, stop: 0 }],
    })
    expect((await audit()).out).toContain('CONSUMED WHILE STOPPED')
  })

  it('find what was sealed in between and taken later', async () => {
    freeze(own.history, 'frozen', { actorId: 'agent-7' })
    seal(own.proof, { index: 0, inForce: [] })
    freeze(own.history, 'lifted', { actorId: 'agent-7' })
    consume(own.history, 0)
    expect(await found()).toMatchObject({ code: 1, stops: [{ code: 'stops-sealed', index: 2, stop: 0 }] })
  })

  it('that do not show what they cover, or are lifted twice, are found', async () => {
    freeze(own.history, 'frozen', { actorId: 'agent-7' })
    freeze(own.history, 'lifted', { actorId: 'agent-7' })
    freeze(own.history, 'lifted', { actorId: 'agent-7' })
    expect(await found()).toMatchObject({ code: 1, stops: [{ code: 'stops-order', index: 2 }] })
    const [line] = own.history.lines as [(typeof own.history.lines)[number]]
    const { covers: _, ...hidden } = line.values ?? {}
    own.history.lines[0] = { ...line, values: hidden }
    expect((await found()).stops.map(({ code }) => code)).toContain('stops-unshown')
  })

  it('say where the seal of a run is missing', async () => {
    freeze(own.history, 'frozen', { actorId: 'agent-7' })
    consume(own.history, 5)
    seal(own.proof, none)
    expect(await found()).toMatchObject({ code: 0, stops: [{ status: 'unknown', code: 'stops-unknown', unknown: 1 }] })
  })

  it('cannot be held against a decision whose agent is redacted, unless another stop covers it', async () => {
    seal(own.proof, none)
    const [line] = own.proof.lines as [(typeof own.proof.lines)[number]]
    const { 'event.actor.id': _, ...values } = line.values ?? {}
    own.proof.lines[0] = { ...line, values }
    freeze(own.history, 'frozen', { actorId: 'agent-7' })
    freeze(own.history, 'frozen', { keyId: 'key_9' }, 'frz_b')
    consume(own.history, 0)
    expect(await found()).toMatchObject({
      code: 0,
      stops: [{ status: 'unknown', code: 'stops-unknown', compared: 0, unknown: 1 }],
    })
    freeze(own.history, 'frozen', { actionTypes: ['refund'] }, 'frz_c')
    consume(own.history, 0)
    expect((await found()).stops).toMatchObject([{ status: 'no', code: 'stops-run' }])
  })

  it('that were lifted before leave nothing open about a redacted agent', async () => {
    seal(own.proof, none)
    const [line] = own.proof.lines as [(typeof own.proof.lines)[number]]
    const { 'event.actor.id': _, ...values } = line.values ?? {}
    own.proof.lines[0] = { ...line, values }
    freeze(own.history, 'frozen', { actorId: 'agent-7' })
    freeze(own.history, 'lifted', { actorId: 'agent-7' })
    consume(own.history, 0)
    expect(await found()).toMatchObject({ code: 0, stops: [{ status: 'yes', compared: 1 }] })
  })
})
