/** Every change that an audit can be about is a sentence in both languages, with the people in it and no id. */
import { auditActions } from '@countersign/contract/audit-actions.ts'
import { auditTypes, membershipStatuses } from '@countersign/contract/enums.ts'
import en from '@countersign/words/en/audit.json' with { type: 'json' }
import ko from '@countersign/words/ko/audit.json' with { type: 'json' }
import { saying } from '@countersign/words/say.ts'
import { neutralTerms, termValues } from '@countersign/words/terms.ts'
import { describe, expect, it } from 'vitest'
import { type Entry, told } from '../ui/audit/told.ts'
import { auditTypes as shownTypes } from '../ui/audit/types.ts'

const actions = Object.entries(auditActions).flatMap(([type, list]) => list.map((action) => [type, action] as const))
const time = (at: string) => `at ${at.slice(11, 16)}`
const speech = {
  ko: { language: 'ko', time, say: saying({ ko, en }, 'ko', undefined, termValues(neutralTerms, 'ko')) },
  en: { language: 'en', time, say: saying({ ko, en }, 'en', undefined, termValues(neutralTerms, 'en')) },
} as const
const minji = '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'
const jiho = '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f41'
const entryOf = (type: string, action: string, more: Partial<Entry> = {}): Entry => ({
  ...{ type, action, actorId: minji, actorName: '김민지', targetType: 'membership', targetId: 'mbr_1' },
  ...{ targetName: '박지호', names: {}, details: {} },
  ...more,
})

it('the types are those of the contract', () => {
  expect([...shownTypes]).toEqual([...auditTypes])
})

it('has a sentence for every action in both languages, and none besides', () => {
  const keys = actions.map(([type, action]) => `did ${type} ${action}`).toSorted()
  for (const catalog of [ko, en])
    expect(
      Object.keys(catalog)
        .filter((key) => key.startsWith('did '))
        .toSorted(),
    ).toEqual(keys)
})

it.each(actions)('%s %s leaves no place open, with and without its details', (type, action) => {
  for (const each of [speech.ko, speech.en]) {
    for (const details of [{}, { clientId: jiho, startsAt: '2026-11-19T05:00:00.000Z', from: 'ACTIVE', to: 'ENDED' }]) {
      const { text } = told(entryOf(type, action, { details, names: { [jiho]: '박지호' } }), each)
      expect(text).not.toMatch(/[{}[\]|]|undefined|null|_|[0-9a-f]{8}-/)
    }
  }
})

describe('a sentence', () => {
  it('says who changed whose role from what to what', () => {
    const role = entryOf('membership.transitioned', 'role', {
      details: { fromRoles: 'INSTRUCTOR', toRoles: 'ADMIN, INSTRUCTOR' },
    })
    expect(told(role, speech.en)).toMatchObject({
      text: expect.stringMatching(/^김민지 changed 박지호’s role from .+ to Administrator, .+\.$/),
      rows: [],
    })
    expect(told(role, speech.ko).text).toMatch(/^김민지 님이 박지호 님의 역할을 .+에서 관리자, .+으?로 변경했습니다\.$/)
  })

  it('names whoever did it as what they are', () => {
    const by = (actorId: string | null, actorName: string | null) =>
      told(entryOf('decision.sealed', 'approved', { actorId, actorName }), speech.en).who
    expect(by(`key_${'a'.repeat(26)}`, 'billing')).toBe('API key “billing”')
    expect(by(minji, null)).toBe('Somebody')
    expect(by('rehabilitation.weekly', null)).toBe('The service')
    expect(by(null, null)).toBe('The service')
  })

  it('shows letters that hide or turn as what they are', () => {
    const { text } = told(entryOf('session.changed', 'start', { actorName: 'Min\u202eji' }), speech.en)
    expect(text).not.toContain('\u202e')
  })

  it('is still one for an action of a newer server', () => {
    expect(told(entryOf('settings.updated', 'teleported'), speech.en).text).toBe('김민지: teleported')
  })
})

describe('before and after', () => {
  const rows = (details: Entry['details'], names: Entry['names'] = {}) =>
    told(entryOf('settings.updated', 'center', { details, names }), speech.en).rows

  it('are in words', () => {
    expect(
      rows({
        changes: [
          { field: 'timezone', old: 'Asia/Seoul', new: 'Europe/Paris' },
          { field: 'reminders.enabled', old: false, new: true },
          { field: 'phone', old: null, new: '02-345' },
        ],
      }),
    ).toEqual([
      { label: 'Time zone', before: 'Asia/Seoul', after: 'Europe/Paris' },
      { label: 'Reminders › Enabled', before: 'No', after: 'Yes' },
      { label: 'Phone', before: 'none', after: '02-345' },
    ])
  })

  it('read settings that were written as JSON, and show only what differs', () => {
    const [before, after] = [
      { schedule: 'a', enabled: false },
      { schedule: 'a', enabled: true },
    ].map((each) => JSON.stringify(each))
    expect(rows({ before, after })).toEqual([{ label: 'Enabled', before: 'No', after: 'Yes' }])
  })

  it('name people and times, and no id', () => {
    const moved = told(
      entryOf('center.updated', 'booking_moved', {
        details: {
          ...{ fromStartsAt: '2026-11-19T05:00:00.000Z', toStartsAt: '2026-11-20T05:00:00.000Z' },
          ...{ fromInstructorId: minji, toInstructorId: jiho, clientId: jiho },
        },
        names: { [minji]: '김민지', [jiho]: '박지호' },
      }),
      speech.en,
    )
    expect(moved.rows).toHaveLength(2)
    expect(JSON.stringify(moved)).not.toMatch(/0198c5f2|T05:00/)
  })

  it.each(membershipStatuses)('%s has a word', (status) => {
    expect(rows({ from: null, to: status })[0]?.after).not.toBe(status)
  })
})
