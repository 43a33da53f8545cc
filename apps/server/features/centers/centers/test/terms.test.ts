/** The words of a center: those of its vertical, changed, restored, and refused where a reader would be misled. */
import { tradeTerms } from '@countersign/words/trades.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fixture, openFixture } from './fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.server.close())

const patch = (terms: unknown, token = fixture.tokens.admin) =>
  fixture.server.call('PATCH', `/api/centers/${fixture.center.id}/settings`, { token, body: { terms } })
const own = tradeTerms('education')

describe('the terms of PATCH /centers/{center}/settings', () => {
  it('200 are those of the vertical until one is changed, in one language or both', async () => {
    const { body } = await fixture.server.call('GET', `/api/centers/${fixture.center.id}`, {
      token: fixture.tokens.admin,
    })
    expect(body.data.settings.terms).toEqual(own)
    await patch({ instructor: { ko: '코치', en: 'coach' } })
    const { body: changed } = await patch({ client: { ko: '회원 학생' } })
    expect(changed.data.terms).toEqual({
      ...own,
      instructor: { ko: '코치', en: 'coach' },
      client: { ko: '회원 학생', en: 'student' },
    })
  })

  it('200 null restores one language, one word or all', async () => {
    await patch({ instructor: { ko: '코치', en: 'coach' }, guardian: { en: 'carer' } })
    expect((await patch({ instructor: { ko: null } })).body.data.terms.instructor).toEqual({ ko: '강사', en: 'coach' })
    expect((await patch({ instructor: null })).body.data.terms).toMatchObject({
      guardian: { en: 'carer' },
      instructor: own.instructor,
    })
    expect((await patch(null)).body.data.terms).toEqual(own)
    const [row] = await fixture.server.world.query('select settings from directory.centers where id = $1', [
      fixture.center.id,
    ])
    expect(row?.settings).not.toHaveProperty('terms')
  })

  it.each([
    ['an address', '나 evil.example'],
    ['a link', 'https://evil.example'],
    ['an email address', 'me@evil.example'],
    ['a line break', '강\n사'],
    ['a direction character', '강\u202e사'],
    ['a character without width', '강\u200b사'],
    ['nothing', ''],
    ['blanks', '   '],
    ['a blank at its end', '코치 '],
    ['31 characters', '가'.repeat(31)],
    ['markup', '<b>코치</b>'],
    ['a place of a sentence', '{term.client}'],
    ['brackets of a sentence', '[[코치|강사]]'],
    ['punctuation', '코치. 지금 송금하세요!'],
    ['mixed scripts', 'сoach'],
    ['full-width letters', 'ｃｏａｃｈ'],
    ['the word for an administrator', '센터 관리자'],
    ['the word for the operator', '운영자'],
    ['the word of another role', '수강생'],
    ['the word of another role, spaced', '수 강 생'],
    ['another type', 7],
  ])('400 VALIDATION_ERROR for %s', async (_, ko) => {
    const { status, body } = await patch({ instructor: { ko } })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each(['Administrator', 'system admins', 'Student'])(
    '400 VALIDATION_ERROR for the English word "%s"',
    async (en) => {
      expect((await patch({ instructor: { en } })).body.error.code).toBe('VALIDATION_ERROR')
    },
  )

  it('400 VALIDATION_ERROR for a term that does not exist', async () => {
    expect((await patch({ admin: { ko: '원장' } })).body.error.code).toBe('VALIDATION_ERROR')
  })

  it.each(['instructor', 'nonmember'] as const)('403 for the %s', async (who) => {
    expect((await patch({ instructor: { ko: '코치' } }, fixture.tokens[who])).status).toBe(403)
  })

  it('200 a word with a hyphen, a digit or an apostrophe', async () => {
    for (const en of ['co-teacher', 'Level 2 coach', 'women’s coach'])
      expect((await patch({ instructor: { en } })).status).toBe(200)
    await patch(null)
  })

  it('audits the old and the new word', async () => {
    await patch({ session: { ko: '훈련' } })
    const [entry] = await fixture.server.world.query(
      `select details from directory.audit_entries where center_id = $1 and type = 'settings.updated' order by occurred_at desc limit 1`,
      [fixture.center.id],
    )
    expect(JSON.stringify(entry?.details)).toMatch(/훈련.*수업/)
  })
})
