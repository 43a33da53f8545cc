/** The text that a workflow leaves for a person: what it is based on, what was found, what is to be decided. */
import type { Json } from '@countersign/proof/canonical.ts'
import type { Draft, WorkflowCenter } from '../definition.ts'
import type { Period } from './period.ts'
import type { Wording } from './steps.ts'

/** In the language of the center: Korean, or English for everybody else. */
export const inLanguage = <T>(
  { locale }: Pick<WorkflowCenter, 'locale'>,
  words: { readonly en: T; readonly ko: T },
): T => (locale.startsWith('ko') ? words.ko : words.en)

const frame = {
  en: {
    period: 'Period',
    basis: 'Based on',
    findings: 'Found',
    inWords: 'In words',
    by: (model: string, sure: string) => `written by the model ${model}${sure}`,
    sure: (percent: number) => `, which says it is ${percent}% sure`,
    unfounded: (numbers: string) => `Check these numbers, which are not among the figures: ${numbers}`,
    decide: 'To decide',
    more: (count: number) => `and ${count} more`,
    none: 'Nothing that needs attention.',
    draft: 'This is a draft. It counts once a person has reviewed it and raised its evidence level.',
  },
  ko: {
    period: '기간',
    basis: '근거',
    findings: '확인된 내용',
    inWords: '요약',
    by: (model: string, sure: string) => `${model} 모델 작성${sure}`,
    sure: (percent: number) => `, 모델이 밝힌 확신도 ${percent}%`,
    unfounded: (numbers: string) => `다음 숫자는 집계에 없으니 확인하세요: ${numbers}`,
    decide: '결정할 사항',
    more: (count: number) => `외 ${count}건`,
    none: '주의가 필요한 사항이 없습니다.',
    draft: '이 문서는 초안입니다. 담당자가 검토하고 증거 수준을 올린 뒤에 효력이 있습니다.',
  },
}

const mostLines = 20

export interface DraftParts {
  readonly title: string
  readonly period: Period
  readonly basis: readonly string[]
  readonly findings: readonly string[]
  readonly decide: readonly string[]
  readonly wording?: Wording | null
  readonly tags: readonly string[]
  /** Kept beside the text, so that a program need not read it. */
  readonly figures: { readonly [member: string]: Json }
}

export function draft(center: WorkflowCenter, parts: DraftParts): Draft {
  const words = inLanguage(center, frame)
  const { title, period, wording = null, figures } = parts
  const span = period.firstDay === period.lastDay ? period.firstDay : `${period.firstDay} – ${period.lastDay}`
  const section = (heading: string, lines: readonly string[]) => ['', heading, ...listed(lines, words)]
  const sure = wording?.ai.confidence == null ? '' : words.sure(Math.round(wording.ai.confidence * 100))
  const content = [
    title,
    `${words.period}: ${span} (${center.timezone})`,
    ...section(words.basis, parts.basis),
    ...section(words.findings, parts.findings.length > 0 ? parts.findings : [words.none]),
    ...(wording
      ? [
          '',
          `${words.inWords} (${words.by(wording.ai.model, sure)})`,
          wording.summary.trim(),
          ...listed(wording.points, words),
          ...(wording.unfounded.length > 0 ? [words.unfounded(wording.unfounded.join(', '))] : []),
        ]
      : []),
    ...section(words.decide, parts.decide),
    '',
    words.draft,
  ].join('\n')
  return {
    content,
    tags: [...parts.tags],
    metadata: { reason: `${title}, ${span}`, period, figures, ...(wording && { unfounded: wording.unfounded }) },
    ai: wording?.ai ?? null,
  }
}

const listed = (lines: readonly string[], words: { more: (count: number) => string }): string[] => [
  ...lines.slice(0, mostLines).map((line) => `- ${line}`),
  ...(lines.length > mostLines ? [`- ${words.more(lines.length - mostLines)}`] : []),
]
