import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { entryNames, entryPhrases, entryText, splitEntry } from '../stored-entry.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** What each mark and its letter stand for. */
const spelled = (text: string, mark: string, meaning: (position: number) => string) =>
  text
    .split(mark)
    .map((part, at) => (at === 0 ? part : meaning(part.charCodeAt(0) - 33) + part.slice(1)))
    .join('')

/** A phrase as it is in a text. */
const written = (phrase: string, hash: string) =>
  spelled(phrase, '\x01', (position) => `"${entryNames[position]}":"sha256:${hash}"`)

/** The same texts in every run: pieces of entries, of what resembles them, and of what canonical JSON never has. */
const texts = Array.from({ length: 400 }, (_, seed) => {
  let state = hashOf(`text ${seed}`)
  const below = (bound: number) => {
    state = hashOf(state)
    return Number.parseInt(state.slice(0, 8), 16) % bound
  }
  const pieces: readonly (() => string)[] = [
    () => `"${entryNames[below(entryNames.length)]}":"sha256:${hashOf(state)}"`,
    () => `"${entryNames[below(entryNames.length)]}":"sha256:${hashOf(state)}`,
    () => `"other":"sha256:${hashOf(state)}"`,
    () => `["sha256:${hashOf(state)}"]`,
    () => `"event.tags":"sha256:${hashOf(state).slice(below(64))}"`,
    () => `sha256:${hashOf(state).toUpperCase()}`,
    () => `sha256:sha256:${hashOf(state)}0f`,
    () => written(entryPhrases[below(entryPhrases.length)] as string, hashOf(state)),
    () => ['', '{', '"', '":"', ',', '}', '서울 😀', '\\u0001', 'sha256:', '"":"', ' '][below(11)] as string,
  ]
  return Array.from({ length: below(12) }, () => (pieces[below(pieces.length)] as () => string)()).join('')
})

it.each(['proof', 'history'] as const)(
  'composes each text of %s again, in the server and in the database',
  async (domain) => {
    const split = texts.map((text) => splitEntry(text, domain))
    const differing = (composed: readonly string[]) => texts.filter((text, at) => composed[at] !== text)
    expect(differing(split.map(({ template, digits }) => entryText(template, digits)))).toEqual([])
    expect(split.some(({ digits }) => digits.length > 5 * 64)).toBe(true)
    for (const { template, digits } of split) {
      expect(template).not.toMatch(/sha256:[0-9a-f]{64}/)
      const whole = spelled(template, '\x02', (position) => entryPhrases[position] as string)
      expect(whole.split('\x01').length - 1).toBe(digits.length / 64)
    }
    expect(split.some(({ template }) => template.includes('\x02'))).toBe(domain === 'proof')
    const composed = await server.world.query<{ content: string }>(
      `select cell.content_of(template, decode(digits, 'hex')) as content
     from unnest($1::text[], $2::text[]) with ordinality e (template, digits, n) order by n`,
      [split.map(({ template }) => template), split.map(({ digits }) => digits)],
    )
    expect(differing(composed.map(({ content }) => content))).toEqual([])
  },
)

it('knows the names of the database, each by one letter', async () => {
  const [row] = await server.world.query<{ names: string[] }>('select cell.entry_names() as names')
  expect(row?.names).toEqual(entryNames)
  expect(new Set(entryNames).size).toBe(entryNames.length)
  // One byte in UTF-8, and neither a control character nor a place that ends the template.
  expect(entryNames.length).toBeLessThanOrEqual(126 - 32)
})

it('knows the phrases of the database, each by one letter, and none that is a part of its own mark', async () => {
  const [row] = await server.world.query<{ phrases: string[] }>('select cell.entry_phrases() as phrases')
  expect(row?.phrases).toEqual(entryPhrases)
  expect(new Set(entryPhrases).size).toBe(entryPhrases.length)
  expect(entryPhrases.length).toBeLessThanOrEqual(126 - 32)
  expect(entryPhrases.filter((phrase) => phrase.length < 3 || phrase.includes('\x02'))).toEqual([])
})

it('shows every byte of what does not fit together', async () => {
  const one = hashOf('one')
  const [place, name] = ['\x01 ', '\x01!']
  const forms: [template: string, digits: string | null, text: string][] = [
    [`{${place}}`, null, `{${place}}`],
    [`{${place}}`, '', '{sha256:}'],
    [`{${place}}`, one.slice(2), `{sha256:${one.slice(2)}}`],
    [`{${place}}`, `${one}ab`, `{sha256:${one}}ab`],
    ['{}', one, `{}${one}`],
    ['', one, one],
    [`{${name}}`, one, `{"actionDigest":"sha256:${one}"}`],
    ['{\x01~}', one, `{"":"sha256:${one}"}`],
    ['{\x01', one, `{"":"sha256:${one}"`],
    ['{\x02!}', null, '{\x02!}'],
    ['{\x02!}', '', '{,"approval":{"approvedAt":"}'],
    ['{\x02~}\x02', '', '{\x02~}\x02'],
    ['\x02\x02!😀\x02😀', '', '\x02,"approval":{"approvedAt":"😀\x02😀'],
    ['\x02 \x01!', one, `\x02 "actionDigest":"sha256:${one}"`],
  ]
  const composed = await server.world.query<{ content: string }>(
    `select cell.content_of(template, decode(digits, 'hex')) as content
     from unnest($1::text[], $2::text[]) with ordinality e (template, digits, n) order by n`,
    [forms.map(([template]) => template), forms.map(([, digits]) => digits)],
  )
  expect(composed.map(({ content }) => content)).toEqual(forms.map(([, , text]) => text))
  for (const [template, digits, text] of forms) expect(entryText(template, digits)).toBe(text)
})
