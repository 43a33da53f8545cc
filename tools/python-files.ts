/** The files of the Python package that are made from ours: the words, the character classes, and the members of a decision. */
import { readFileSync } from 'node:fs'
import { digestedNames, memberNames } from '@countersign/proof/decision-fields.ts'
import { layouts } from '@countersign/proof/layout.ts'

const root = new URL('../', import.meta.url)
const folder = 'python/src/countersign'
const made = (about: string, name: string, value: unknown): string =>
  // Python reads this JSON as its own literals: it has only strings.
  `"""Generated from ${about} by npm run generate."""\n\nfrom typing import Any\n\n${name}: Any = ${JSON.stringify(value, null, 2)}\n`

export const pythonFiles = () => [
  {
    path: `${folder}/proof/_decision.py`,
    content: made('the fields of a decision', 'DECISION', {
      digested: digestedNames,
      members: memberNames,
      ...layouts.proof,
    }),
  },
  { path: `${folder}/proof/_words.py`, content: words() },
  { path: `${folder}/proof/_unicode.py`, content: unicode() },
]

const languages = ['en', 'ko'] as const
type Catalog = Readonly<Record<string, string | readonly string[]>>
const catalog = (language: string, area: string): Catalog =>
  JSON.parse(readFileSync(new URL(`packages/words/${language}/${area}.json`, root), 'utf8'))

/** Of the command's sentences those that `verify` prints, by their names or how these begin. */
const printed = [
  ...['yes', 'no', 'unknown', 'intact', 'inChain', 'signed', 'witnessed', 'holds', 'altered', 'sandbox', 'isSandbox'],
  ...['unvouched', 'alone', 'notComplete', 'newer', 'rulesHidden', 'lost', 'generations', 'succession', 'lostRow'],
  ...['lostFacts', 'lostDenied', 'notRead', 'notAProof', 'record', 'recordFacts', 'decision', 'cosigner'],
  ...['cosignerFacts', 'undisclosed', 'redacted', 'redactedFacts', 'redactedFor', 'wasRefused', 'asOf', 'asOfSize'],
  ...['asOfAlone', 'approval', 'refusal', 'raise', 'raiseFacts', 'hiddenApproval', 'voidApproval', 'via', 'page'],
  ...[
    'pageStated',
    'pageTemplate',
    'noPage',
    'rules',
    'rulesFacts',
    'rulesFirst',
    'rulesNotShown',
    'line',
    'emergency',
  ],
  ...['usable', 'usableFacts', 'execution', 'warning', 'passkeyKey', 'passkeyFacts', 'passkeyHidden', 'passkeySynced'],
  ...['behalf', 'unapproved', 'hiddenName', 'limits', 'outside', 'outsideFacts', 'timestamp', 'stampVerified'],
  ...[
    'sumAll',
    'sumAlone',
    'sumSome',
    'sumUnvouched',
    'sumUnjudged',
    'sumUnread',
    'policyHint',
    'noFiles',
    'policyTwice',
  ],
  ...['declarationNeedsPolicy', 'logNeedsPolicy', 'badPolicy', 'badDeclaration', 'badAuthority', 'noCertificate'],
  ...['characters', 'didYouMean', 'unknownOption', 'optionNeedsValue', 'optionTakesNone', 'seeHelp'],
]
const families = /^(?:by|void|via|line|emergency|how|refused|limit|stamp|verdict|warning) |^execution[A-Za-z]/

function words(): string {
  const both = (read: (language: string) => unknown) => Object.fromEntries(languages.map((each) => [each, read(each)]))
  const sentences = (language: string) => {
    const all = catalog(language, 'cli')
    const missing = printed.filter((name) => !Object.hasOwn(all, name))
    if (missing.length > 0) throw new Error(`The words of the command have no ${missing.join(', ')}.`)
    return Object.fromEntries(Object.entries(all).filter(([name]) => printed.includes(name) || families.test(name)))
  }
  return [
    made('packages/words', 'WORDS', both(sentences)),
    ...(
      [
        ['PROBLEMS', 'problems'],
        ['SUMMARY', 'summary'],
        ['VIEW', 'view'],
      ] as const
    ).map(
      ([name, area]) =>
        `\n${name}: Any = ${JSON.stringify(
          both((language) => catalog(language, area)),
          null,
          2,
        )}\n`,
    ),
    `\nHELP: Any = ${JSON.stringify(
      both((language) => helpOf(language)),
      null,
      2,
    )}\n`,
  ].join('')
}

/** The page of the command, without the option that this package doesn't have. */
const helpOf = (language: string): readonly string[] => {
  const { verify, 'verify-python': beside } = catalog(language, 'help') as Readonly<Record<string, readonly string[]>>
  const own = (verify ?? []).filter((line) => !line.startsWith('  --online'))
  return [...own.slice(0, -1), ...(beside ?? []), '', ...own.slice(-1)]
}

/** Python's `re` has no properties of characters, and its tables are those of the Unicode version of each Python. */
const classes: Readonly<Record<string, RegExp>> = {
  HIDDEN: /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
  // As in packages/proof/look-alikes.ts.
  INVISIBLE:
    /(?![\n\r\t]|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
  LETTER: /[\p{L}\p{M}]/u,
  PLAIN: /[\p{L}\p{M}\p{N}]/u,
  ALPHABET: /\p{L}/u,
  FIRST: /[\p{L}_$]/u,
  NUMBER: /\p{N}/u,
  OTHER_DIGIT: /(?![0-9])\p{Nd}/u,
  COMMON: /[\p{Script=Common}\p{Script=Inherited}]/u,
  RIGHT_TO_LEFT:
    /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061c\u200f\u202b\u202e\u2067]/u,
  TOGETHER:
    /[\p{Script=Latin}\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u,
  ...Object.fromEntries(
    ['Cyrillic', 'Greek', 'Armenian', 'Hebrew', 'Arabic', 'Cherokee', 'Coptic', 'Georgian', 'Thai', 'Devanagari'].map(
      (name) => [`SCRIPT_${name.toUpperCase()}`, new RegExp(`\\p{Script=${name}}`, 'u')],
    ),
  ),
}

const firstSurrogate = 0xd800
const firstAfter = 0xe000

function unicode(): string {
  const between = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => String.fromCodePoint(from + at)).join('')
  // Surrogates side by side would be read as other characters; each alone is like the first.
  const texts = [between(0, firstSurrogate), between(firstAfter, 0x110000)]
  const lines = Object.entries(classes).map(([name, pattern]) => `${name} = "${rangesOf(texts, pattern)}"\n`)
  return `"""Classes of characters as parts of regular expressions. Generated by npm run generate."""\n\n${lines.join('')}`
}

function rangesOf([below, above]: readonly string[], { source }: RegExp): string {
  const runs = new RegExp(`(?:${source})+`, 'gu')
  const inText = (text = '') =>
    Array.from(text.matchAll(runs), ([run]) => [run.codePointAt(0), lastOf(run)] as [number, number])
  const isSurrogate = new RegExp(source, 'u').test(String.fromCharCode(firstSurrogate))
  const surrogates = isSurrogate ? ([[firstSurrogate, firstAfter - 1]] as const) : []
  return [...inText(below), ...surrogates, ...inText(above)]
    .map(([from, to]) => escaped(from) + (to === from ? '' : `-${escaped(to)}`))
    .join('')
}

const lastOf = (run: string): number => {
  const pair = run.codePointAt(run.length - 2) ?? 0
  return pair > 0xffff ? pair : run.charCodeAt(run.length - 1)
}

/** Letters and digits stand for themselves nowhere: the file is ASCII. */
const escaped = (code: number): string =>
  code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
