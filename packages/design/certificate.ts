/** The certificate as elements: the verifier's page and the console draw the same. The first language is large. Pure. */
import { type Drawing, draw } from './drawing.ts'
import { markDrawing } from './mark.ts'
import { sealDrawing } from './seal.ts'

interface Bilingual {
  readonly ko: string
  readonly en: string
}

interface Paper {
  readonly number: string
  readonly title: Bilingual
  readonly sentence: Bilingual
  readonly approvals: readonly {
    readonly level: 'claim' | 'session' | 'passkey' | 'system'
    readonly refused: boolean
    readonly name: string
    readonly caption: Bilingual
  }[]
  readonly rows: readonly { readonly name: Bilingual; readonly value: Bilingual; readonly code: boolean }[]
  readonly notProved: readonly Bilingual[]
  readonly words: Readonly<Record<'numberName' | 'notProvedName' | 'copy' | 'checkedAt', Bilingual>>
}

export type PaperLanguages = 'both' | 'ko' | 'en'

const sealSize = 72

export function certificateDrawing(paper: Paper, languages: PaperLanguages, hash: string): Drawing {
  const shownIn = languages === 'both' ? (['ko', 'en'] as const) : ([languages] as const)
  const [first, second] = shownIn
  const main = ({ [first]: text }: Bilingual) => draw('span', { lang: first }, text)
  const small = (text: Bilingual) =>
    second === undefined || text[second] === text[first]
      ? []
      : [draw('span', { lang: second, class: 'second' }, text[second])]
  const both = (text: Bilingual) => [main(text), ...small(text)]
  return draw(
    'article',
    { class: 'certificate', 'data-number': paper.number },
    draw(
      'header',
      {},
      draw('p', { class: 'certificate-mark' }, markDrawing({ label: '' }), draw('span', {}, 'Countersign')),
      draw('p', { class: 'certificate-number' }, ...both(paper.words.numberName), draw('b', {}, paper.number)),
    ),
    draw('h1', {}, ...both(paper.title)),
    draw('p', { class: 'certificate-sentence' }, ...both(paper.sentence)),
    draw(
      'ul',
      { class: 'certificate-seals' },
      ...paper.approvals.map(({ level, refused, name, caption }, at) =>
        draw(
          'li',
          { 'data-level': level, ...(refused && { class: 'refused' }) },
          ...(refused ? [] : [sealDrawing({ level, name, hash: `${hash}${at}`, size: sealSize, label: '' })]),
          draw('b', {}, name),
          ...both(caption),
        ),
      ),
    ),
    draw(
      'dl',
      {},
      ...paper.rows.map(({ name, value, code }) =>
        draw(
          'div',
          {},
          draw('dt', {}, ...both(name)),
          draw('dd', code ? { class: 'certificate-code' } : {}, ...both(value)),
        ),
      ),
    ),
    draw(
      'section',
      { class: 'certificate-limits' },
      ...shownIn.map((language) =>
        draw(
          'div',
          { lang: language },
          draw('h2', {}, paper.words.notProvedName[language]),
          draw('ul', {}, ...paper.notProved.map((limit) => draw('li', {}, limit[language]))),
        ),
      ),
    ),
    draw('footer', {}, draw('p', {}, ...both(paper.words.copy)), draw('p', {}, ...both(paper.words.checkedAt))),
  )
}
