/** The text of a draft: its period, the figures, the findings and what a person has to decide. */
import en from '@countersign/words/en/workflows.json' with { type: 'json' }
import ko from '@countersign/words/ko/workflows.json' with { type: 'json' }
import { fill } from '@countersign/words/say.ts'
import { termValues } from '@countersign/words/terms.ts'
import type { Draft, WorkflowCenter } from '../features/automation/workflows/api.ts'
import type { Worded, Wording } from './model-step.ts'
import type { Period } from './period.ts'
import { type SentenceFacts, sayAll, sayFindings } from './sentences.ts'

/** The texts of a workflow in one language. */
interface Texts {
  readonly name: string
  /** Of the draft, where it is not the name. */
  readonly title?: string
  /** What the draft is based on. */
  readonly basis: readonly string[]
  /** By the fact that each is about, in the order of the text. */
  readonly findings: Readonly<Record<string, string>>
  readonly decide: readonly string[]
}

export const texts = { en, ko }
export type TextKey = keyof typeof en.workflows & keyof typeof ko.workflows

const maxLines = 20

export interface AskedAction {
  readonly type: string
  readonly input: Readonly<Record<string, string | number>>
}

interface DraftParts {
  readonly key: TextKey
  readonly facts: SentenceFacts
  /** Stored beside the text, so that a program need not read the text. */
  readonly figures: SentenceFacts
  readonly tags: readonly string[]
  readonly worded: Worded
  readonly asks?: AskedAction
}

/** In Korean where the locale of the center begins with `ko`, in English elsewhere, in the words of the center. */
export function draft({ locale, timezone, terms }: WorkflowCenter, parts: DraftParts): Draft {
  const { key, figures, tags, worded, asks } = parts
  const language = locale.startsWith('ko') ? 'ko' : 'en'
  const { frame, workflows } = texts[language]
  const facts: SentenceFacts = { ...parts.facts, ...termValues(terms, language) }
  const said: Texts = workflows[key]
  const { period } = facts as { readonly period: Period }
  const { wording, missing } = worded
  const title = oneLine(fill(said.title ?? said.name, facts) ?? '')
  const span = period.firstDay === period.lastDay ? period.firstDay : `${period.firstDay} – ${period.lastDay}`
  const findings = sayFindings(said.findings, facts)
  const items = (lines: readonly string[]) => [
    ...lines.slice(0, maxLines).map((line) => `- ${oneLine(line)}`),
    ...(lines.length > maxLines ? [`- ${fill(frame.more, { count: lines.length - maxLines })}`] : []),
  ]
  const section = (heading: string | null, lines: readonly string[]) => ['', heading, ...lines]
  const content = [
    title,
    `${frame.period}: ${span} (${timezone})`,
    ...section(frame.basis, items(sayAll(said.basis, facts))),
    ...section(frame.findings, items(findings.length > 0 ? findings : [frame.none])),
    ...(wording ? section(...inWords(wording, frame)) : []),
    ...(missing === undefined ? [] : section(frame.missing, [])),
    ...section(frame.decide, items(sayAll(said.decide, facts))),
    ...section(frame.draft, []),
  ].join('\n')
  const metadata = {
    reason: `${title}, ${span}`,
    period,
    figures,
    ...(asks && { asks: { type: asks.type, input: { ...asks.input } } }),
    ...(wording && { unfounded: wording.unfounded }),
    ...(missing !== undefined && { wordsMissing: missing }),
  }
  return { content, tags: [...tags], metadata, ai: wording?.ai ?? null }
}

/**
 * Sections are told apart by line breaks. Texts of a model or a caller have none left, and no characters that reorder or
 * hide a text, so they cannot imitate a section.
 */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Bidi_Control}\u200b\u2060\ufeff]/gu, '')
    .trim()

/** Each line of the model is quoted: "> ". */
function inWords({ summary, points, unfounded, ai }: Wording, frame: typeof en.frame) {
  const percent = ai.confidence === null ? null : Math.round(ai.confidence * 100)
  const numbers = unfounded.length === 0 ? null : unfounded.join(', ')
  const quoted = [oneLine(summary), ...points.map((point) => `- ${oneLine(point)}`)].map((line) => `> ${line}`)
  return [fill(frame.wording, { ai, percent }), [...quoted, ...sayAll([frame.unfounded], { numbers })]] as const
}
