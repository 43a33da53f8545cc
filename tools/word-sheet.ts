/**
 * `node tools/word-sheet.ts SEED [COUNT] [docs]`: strings drawn at random from all texts, for a reader who did not write them and who
 * judges each by the rules of the language. With `docs`, sentences of the documentation and the READMEs only. Prints JSON: the seed, and the strings with their place and no verdict yet.
 */
import { seededRandom } from '../tests/support/seeded-random.ts'
import { catalogs, descriptions, messages, pages, type Text } from './texts.ts'

const seed = Number(process.argv[2] ?? 1)
const count = Number(process.argv[3] ?? 300)

/** A page is read by its paragraphs; tables by their rows. */
const parts = (page: Text): Text[] =>
  page.text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .split(/\n{2,}|\n(?=[|\-*\d])/)
    .map((text) => ({ ...page, text: text.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text.split(' ').length > 5 && !/^\|[\s|:-]+\|?$/.test(text))

const readable = ({ text }: Text): boolean => /[a-z가-힣]{2}/i.test(text.replaceAll(/\{[^}]*\}/g, ''))
// A quarter of each kind: the catalogs would otherwise drown the messages.
const sentences = (page: Text): Text[] =>
  parts(page).flatMap((part) => {
    const cut = part.text.startsWith('|')
      ? [part.text]
      : part.text.split(/(?<=[.?!]["”)]?) (?=[\p{Lu}\p{Script=Hangul}"“[`*])/u)
    return cut.filter((text) => text.split(' ').length > 3).map((text) => ({ ...part, text }))
  })
const all =
  process.argv[4] === 'docs'
    ? [pages().flatMap(sentences)]
    : [catalogs(), messages(), descriptions(), pages().flatMap(parts)]
const kinds = all.map((texts) => texts.filter(readable))
const next = seededRandom(seed)
const drawn = Array.from({ length: count }, (_, at) => {
  const all = kinds[at % kinds.length] as Text[]
  const [text] = all.splice(Math.floor(next() * all.length), 1)
  return text as Text
})
const strings = drawn.map(({ kind, language, where, text }, at) => ({ number: at + 1, kind, language, where, text }))
process.stdout.write(
  `${JSON.stringify({ seed, count: strings.length, of: kinds.map((all) => all.length), strings }, null, 1)}\n`,
)
