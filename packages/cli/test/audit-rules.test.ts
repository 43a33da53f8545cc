import { describe, expect, it } from 'vitest'
import { audited } from './audited.ts'
import { changePolicy, consume, policyOf, seal, textOf } from './rules-chain.ts'

const { own, audit, found: foundOf } = audited()
const first = policyOf('pol_a', 1, textOf('Review'))
const stricter = policyOf('pol_a', 2, textOf('Stricter'))
const second = policyOf('pol_b', 1, textOf('Review'))

/** The codes about rules and values, by the chain under which they are reported. */
async function found() {
  const { code, checks: rules } = await foundOf('rules', 'history')
  const [proof, history] = [(await foundOf('values', 'proof')).checks, (await foundOf('values', 'history')).checks]
  return { code, rules, proof, history }
}

/** Three decisions under the rules of then: none, one policy, two of them, one of which was changed. */
function honest(): void {
  seal(own.proof, { index: null, inForce: [] })
  changePolicy(own.history, first)
  seal(own.proof, { index: 0, inForce: [first] }, { named: [first] })
  changePolicy(own.history, second)
  changePolicy(own.history, stricter, { action: 'updated', text: textOf('Stricter') })
  seal(own.proof, { index: 2, inForce: [second, stricter] }, { named: [stricter] })
}

describe('seals under the rules of the history', () => {
  it('hold, in both languages, with the number of redacted entries', async () => {
    honest()
    changePolicy(own.history, second, { action: 'deleted' })
    seal(own.proof, { index: 3, inForce: [stricter] })
    const last = own.proof.lines.at(-1) as (typeof own.proof.lines)[number]
    const { 'event.actor.id': _, ...kept } = last.values ?? {}
    own.proof.lines[own.proof.lines.length - 1] = { ...last, values: kept }
    const { code, ...checks } = await found()
    expect(code).toBe(0)
    expect(checks).toEqual({
      rules: [{ status: 'yes', code: 'rules-hold', seals: 4, changes: 4 }],
      proof: [{ status: 'yes', code: 'values-hold', size: 4, redacted: 1 }],
      history: [{ status: 'yes', code: 'values-hold', size: 4, redacted: 0 }],
    })
    const { out } = await audit()
    expect(out).toContain('Entries with values redacted or replaced since: 1 of 4.')
    expect(out).toContain('Seals checked: 4. Each was made under exactly the policies in the history at that point')
    expect((await audit('--lang', 'ko')).out).toContain('나중에 바뀐 기록: 4건 중 1건')
  })

  it('may follow seals that say nothing of rules, and other changes of the history', async () => {
    seal(own.proof, null)
    changePolicy(own.history, first)
    changePolicy(own.history, second)
    // A change of rules that has no entry of its own names the newest entry.
    seal(own.proof, { index: 1, inForce: [first, second] })
    expect(await found()).toMatchObject({ code: 0, rules: [{ code: 'rules-hold', seals: 1 }] })
  })

  it('are not checked without the log proof, and wait for a history that is signed later', async () => {
    honest()
    const only = JSON.parse((await audit('--json', '--domain', 'history')).out)
    expect(only.chains[0].checks.filter(({ about }: { about: string }) => about === 'rules')).toEqual([])
    seal(own.proof, { index: 3, inForce: [first] })
    expect(await found()).toMatchObject({ code: 0, rules: [{ status: 'unknown', code: 'rules-later', later: 1 }] })
  })
})

describe('rules that were changed behind the history', () => {
  it('for a moment: a seal while a policy was out of the database', async () => {
    honest()
    seal(own.proof, { index: 2, inForce: [second] })
    seal(own.proof, { index: 2, inForce: [second, stricter] })
    expect(await found()).toMatchObject({
      code: 1,
      rules: [{ status: 'no', code: 'rules-differ', index: 3, last: 3, count: 1 }],
    })
    expect((await audit()).out).toContain('SEALED UNDER OTHER POLICIES')
    expect((await audit('--lang', 'ko')).out).toContain('다른 정책으로 봉인되었습니다')
  })

  it('to an earlier state', async () => {
    honest()
    seal(own.proof, { index: 0, inForce: [first] })
    expect(await found()).toMatchObject({ code: 1, rules: [{ code: 'rules-back', index: 3 }] })
  })

  it('to an earlier state, before any seal under the newer one', async () => {
    changePolicy(own.history, first, { at: 0 })
    changePolicy(own.history, second, { at: 10 })
    seal(own.proof, { index: 0, inForce: [first] }, { at: 50 })
    expect(await found()).toMatchObject({ code: 0 })
    seal(own.proof, { index: 0, inForce: [first] }, { at: 71 })
    expect(await found()).toMatchObject({ code: 1, rules: [{ code: 'rules-outdated', change: 1 }] })
  })

  it('to none, as if there had never been one', async () => {
    changePolicy(own.history, first, { at: 0 })
    seal(own.proof, { index: null, inForce: [] }, { at: 100 })
    expect(await found()).toMatchObject({ code: 1, rules: [{ code: 'rules-outdated', change: 0 }] })
    seal(own.proof, { index: null, inForce: [second] }, { at: 101 })
    expect((await found()).rules.map(({ code }: { code: string }) => code)).toContain('rules-differ')
  })

  it('so that a seal names a policy that was not in force', async () => {
    honest()
    seal(own.proof, { index: 2, inForce: [second, stricter] }, { named: [first] })
    expect(await found()).toMatchObject({ code: 1, rules: [{ code: 'rules-foreign', index: 3, policy: 'pol_a' }] })
  })

  it('so that a seal says nothing of them, or hides it', async () => {
    honest()
    seal(own.proof, null)
    expect(await found()).toMatchObject({ code: 1, rules: [{ code: 'rules-missing', index: 3 }] })
    seal(own.proof, { index: 2, inForce: [second, stricter] })
    const last = own.proof.lines.at(-1) as (typeof own.proof.lines)[number]
    const { control: _, ...hidden } = last.values ?? {}
    own.proof.lines[own.proof.lines.length - 1] = { ...last, values: hidden }
    expect((await found()).rules.map(({ code }: { code: string }) => code)).toEqual(['rules-missing', 'rules-hidden'])
  })

  it('in the text of a policy whose digest is another', async () => {
    changePolicy(own.history, first, { text: textOf('Another') })
    seal(own.proof, { index: 0, inForce: [first] })
    expect((await found()).rules).toMatchObject([{ code: 'rules-text', index: 0 }, { code: 'rules-differ' }])
  })
})

describe('values', () => {
  it('that are not those that were sealed are found, and those that nobody committed to', async () => {
    honest()
    const [line] = own.proof.lines as [(typeof own.proof.lines)[number]]
    for (const values of [
      { ...line.values, 'event.actor.id': 'agent-8' },
      { ...line.values, added: 1 },
    ]) {
      own.proof.lines[0] = { ...line, values }
      const { code, proof: checks } = await found()
      expect([code, checks]).toMatchObject([1, [{ status: 'no', code: 'values-wrong', index: 0 }]])
    }
  })

  it.each([
    ['of a key that may not see them', 403],
    ['of a server that does not know them', 422],
  ])('%s are not checked, and the entries are', async (_, status) => {
    honest()
    own.service.interfere = (path, response) => {
      if (!path.includes('values=true')) return false
      response.writeHead(status).end(JSON.stringify({ error: { code: 'FORBIDDEN', message: 'No values.' } }))
      return true
    }
    expect(await found()).toEqual({
      code: 0,
      rules: [{ status: 'unknown', code: 'rules-unread' }],
      proof: [{ status: 'unknown', code: 'values-hidden' }],
      history: [{ status: 'unknown', code: 'values-hidden' }],
    })
  })
})

describe('the time until which an approval could be used', () => {
  const second = (at: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * at).toISOString()
  const none = { index: null, inForce: [] }
  async function found() {
    const { code, checks } = await foundOf('usable')
    return { code, usable: checks }
  }

  it('is held against every consumption, and is not asked about where no decision was taken', async () => {
    seal(own.proof, none, { usableUntil: second(60) })
    expect((await found()).usable).toEqual([])
    seal(own.proof, none)
    consume(own.history, 0, 60)
    consume(own.history, 1, 1000)
    const { code, usable } = await found()
    expect([code, usable]).toEqual([0, [{ status: 'yes', code: 'usable-hold', consumed: 1 }]])
  })

  it('warns of a decision that was taken later, and nothing is altered by that', async () => {
    seal(own.proof, none, { usableUntil: second(60) })
    seal(own.proof, none, { usableUntil: second(60) })
    consume(own.history, 1, 59)
    consume(own.history, 0, 61)
    const { code, usable } = await found()
    expect(code).toBe(0)
    expect(usable).toEqual([{ status: 'unknown', code: 'usable-late', late: 1, consumed: 2, index: 1 }])
    expect((await audit()).out).toContain(
      'when their approval could no longer be used; the first is entry 2 of the history log',
    )
  })
})
