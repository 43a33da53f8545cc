/** Every mail in both languages, as text and HTML, in the name of a center. */
import { describe, expect, it } from 'vitest'
import { hostileTexts } from '../../../../tests/support/hostile.ts'
import { compose } from '../compose.ts'
import { mailHtml } from '../html.ts'
import { previewList, previews, samplePage, sampleVoice } from '../preview.ts'
import { mailNames as names, sampleOf, type Written } from '../templates.ts'

const hangul = /[\uac00-\ud7a3]/

describe.each(names)('%s', (name) => {
  const sample = sampleOf(name)
  const links = Object.values(sample.facts).flatMap((fact) => JSON.stringify(fact).match(/https:[^"]+/g) ?? [])

  it('is Korean, English or both, and has the same links in each', () => {
    const [ko, en, both] = (['ko', 'en', null] as const).map((language) => compose(sample, language))
    expect([ko?.language, en?.language, both?.language]).toEqual(['ko', 'en', undefined])
    expect(`${ko?.subject}${ko?.text}`).toMatch(hangul)
    expect(`${ko?.subject}${ko?.text}`).not.toMatch(/\b(you|your|the)\b/i)
    expect(both?.text).toBe(`${ko?.text}\n${en?.text}`)
    for (const link of links) expect([ko?.text.split(link).length, en?.text.split(link).length]).toEqual([2, 2])
  })

  it('keeps its lines and links whatever its facts say', () => {
    const linesOf = (fact: string | null) => {
      const facts = JSON.parse(JSON.stringify(sample.facts), (key, value) =>
        fact !== null && typeof value === 'string' && !/url$|^at$|^role$|^event$|^timeZone$/i.test(key) ? fact : value,
      )
      const mail = compose({ mail: name, facts } as Written, 'ko')
      const html = mailHtml(mail, ['https://sample.example'], { name: fact ?? 'x', color: fact ?? '#000000' })
      return [mail.subject.split('\n').length, mail.text.split('\n').length, html.match(/<\/?[a-z]+|href="[^"]*"/g)]
    }
    const plain = linesOf(null)
    for (const text of hostileTexts) expect([text, ...linesOf(text)]).toEqual([text, ...plain])
  })
})

it.each([
  ['en', 'INSTRUCTOR', 'as a therapist.'],
  ['en', 'ADMIN,INSTRUCTOR', 'as an administrator and a therapist.'],
  ['en', 'ADMIN,INSTRUCTOR,PARENT', 'as an administrator, a therapist and a guardian.'],
  ['ko', 'ADMIN,INSTRUCTOR', '관리자, 치료사로 초대했습니다.'],
] as const)('names several roles as one would, in %s: %s', (language, role, said) => {
  const sample = sampleOf('invitation')
  expect(compose({ ...sample, facts: { ...sample.facts, role } } as Written, language, sampleVoice).text).toContain(
    said,
  )
})

it('the name and the color of a center head its mails, and a color that is none is left out', () => {
  const words = { subject: 's', text: 't' }
  const html = mailHtml(words, [], { name: '하늘 & 바다', color: '#0a7d4f' })
  expect(html).toContain('<p class="brand" style="border-color:#0a7d4f">하늘 &#38; 바다</p>')
  expect(html).toMatch(/<p class="foot"><svg.*Countersign<\/p>/)
  expect(mailHtml(words, [], { name: 'x', color: 'red;background:url(https://evil.example)' })).not.toContain('evil')
})

it('the preview lists every template in both languages, and the newest 50 mails', () => {
  const kept = previews()
  for (let n = 0; n < 60; n++) kept.add({ to: 'a@b.example', subject: `<b>${n}</b>`, html: '', at: new Date(0) })
  expect(kept.all.map(({ subject }) => subject).at(-1)).toBe('<b>10</b>')
  const list = previewList(kept.all)
  expect(list).not.toContain('<b>')
  const samples = [...list.matchAll(/href="\/dev\/mail\/(\w+\.\w+)"/g)].map(([, address]) => address as string)
  expect(samples).toHaveLength(2 * names.length)
  for (const address of samples) expect(samplePage(address)).toContain('하늘재활센터')
  expect([samplePage('invitation.fr'), samplePage('constructor.ko')]).toEqual([undefined, undefined])
})
