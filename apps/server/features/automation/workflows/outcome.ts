/** What an execution without a result leaves: a draft that says what happened, in the language of the center. Pure. */
import { wallTimeOf } from '../../../lib/local-time.ts'
import type { Draft, WorkflowCenter } from './definition.ts'

interface Person {
  readonly id: string
  readonly name: string
  readonly role: string
}

interface Ended {
  /** Of the workflow. */
  readonly name: string
  readonly startedAt: Date
  readonly endedAt: string
}

export type Outcome =
  | { readonly status: 'FAILED'; readonly failure: string; readonly step?: string | undefined }
  | { readonly status: 'CANCELED'; readonly by: Person }

const texts = {
  en: {
    FAILED: ['failed', 'This execution of the workflow failed. It has no result.'],
    CANCELED: ['canceled', 'A person canceled this execution of the workflow. It has no result.'],
    started: 'Started',
    ended: 'Ended',
    reason: 'Reason',
    by: 'Canceled by',
    draft: 'This is a draft. It counts once a person has reviewed it and raised its evidence level.',
  },
  ko: {
    FAILED: ['실패', '이 워크플로 실행은 실패했습니다. 결과가 없습니다.'],
    CANCELED: ['취소', '담당자가 이 워크플로 실행을 취소했습니다. 결과가 없습니다.'],
    started: '시작',
    ended: '종료',
    reason: '사유',
    by: '취소한 사람',
    draft: '이 문서는 초안입니다. 담당자가 검토하고 증거 수준을 올린 뒤에 효력이 있습니다.',
  },
} as const

/** The reason of a failure stays in the words in which it was recorded. */
export function outcomeDraft({ locale, timezone }: WorkflowCenter, ended: Ended, outcome: Outcome): Draft {
  const text = locale.startsWith('ko') ? texts.ko : texts.en
  const [word, sentence] = text[outcome.status]
  const local = (at: number) => new Date(wallTimeOf(timezone, at)).toISOString().slice(0, 19).replace('T', ' ')
  const startedAt = ended.startedAt.toISOString()
  const why =
    outcome.status === 'FAILED'
      ? `${text.reason}: ${outcome.failure}`
      : `${text.by}: ${outcome.by.name} (${outcome.by.role})`
  const content = [
    `${ended.name}: ${word}`,
    sentence,
    '',
    `${text.started}: ${local(Date.parse(startedAt))} (${timezone})`,
    `${text.ended}: ${local(Date.parse(ended.endedAt))} (${timezone})`,
    why,
    '',
    text.draft,
  ].join('\n')
  const times = { startedAt, endedAt: ended.endedAt }
  const metadata =
    outcome.status === 'FAILED'
      ? { reason: outcome.failure, ...times, ...(outcome.step !== undefined && { step: outcome.step }) }
      : { reason: why, ...times, canceledBy: { ...outcome.by } }
  return { content, tags: [], metadata: { outcome: outcome.status, ...metadata }, ai: null }
}
