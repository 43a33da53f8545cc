/** docs/GLOSSARY.md and its Korean page, generated from packages/words/glossary.json. */
import { readFileSync } from 'node:fs'

type Language = 'en' | 'ko'
type Texts = Readonly<Record<Language, string>>

/** A word that a term must not be called: in texts of these kinds, or of all; not where it is part of one of `unless`. */
export interface Never {
  readonly language: Language
  readonly word: string
  readonly in?: readonly string[]
  readonly unless?: readonly string[]
}
interface Term extends Texts {
  readonly group: string
  readonly api?: string
  readonly means: Texts
  readonly never?: readonly Never[]
}
export interface Glossary {
  readonly groups: Readonly<Record<string, Texts>>
  readonly terms: readonly Term[]
  readonly phrases: readonly { readonly language: Language; readonly never: string; readonly instead: string }[]
}

export const glossary = JSON.parse(
  readFileSync(new URL('../packages/words/glossary.json', import.meta.url), 'utf8'),
) as Glossary

const head: Readonly<Record<Language, string>> = {
  en: `# Glossary

One word for one thing, in English and Korean, on every screen and in every document. Terms that PostgreSQL, HTTP or
[C2SP](https://c2sp.org) define are used as defined there. This page is generated from
[one file](../packages/words/glossary.json), which also lists the words we don't use; a test compares every text with it.`,
  ko: `# 용어

모든 화면과 문서에서 같은 것은 같은 용어로 부릅니다. PostgreSQL, HTTP, [C2SP](https://c2sp.org)가 정의하는 용어는 그 정의를 따릅니다. 이
페이지는 [파일 하나](../../packages/words/glossary.json)에서 생성되며, 쓰지 않는 말도 그 파일에 있습니다. 테스트가 모든 글을 이 파일과 비교합니다.`,
}
const columns: Readonly<Record<Language, string>> = {
  en: '| term | Korean | in the API | meaning |',
  ko: '| 용어 | 영어 | API | 의미 |',
}

function page(language: Language): string {
  const other = language === 'en' ? 'ko' : 'en'
  const tables = Object.entries(glossary.groups).map(([group, title]) => {
    const rows = glossary.terms
      .filter((term) => term.group === group)
      .map(({ api, means, ...term }) => {
        const name = api === undefined ? '' : `\`${api}\``
        return `| **${term[language]}** | ${term[other]} | ${name} | ${means[language]} |`
      })
    return `## ${title[language]}\n\n${columns[language]}\n| --- | --- | --- | --- |\n${rows.join('\n')}`
  })
  return `${head[language]}\n\n${tables.join('\n\n')}\n`
}

export const glossaryFiles = () => [
  { path: 'docs/GLOSSARY.md', content: page('en') },
  { path: 'docs/ko/GLOSSARY.md', content: page('ko') },
]
