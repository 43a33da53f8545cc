/** One decision in a list: its sentence, its state, who asked and approved, and their seals. */
import type { FoundDecision } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { actorName } from '../../decision/read.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { Seal } from '../../ui/picture.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { partsOf } from './found-words.ts'
import { useDecisionsWords } from './words.ts'

const tones = {
  waiting: 'waiting',
  recorded: 'plain',
  approved: 'waiting',
  sealed: 'verified',
  rejected: 'broken',
} as const

interface Properties {
  readonly center: string
  readonly item: FoundDecision
  readonly isShown?: boolean
  /** What was searched for: its words are underlined. */
  readonly q: string | undefined
  /** Amount and day have columns of their own. */
  readonly isWide?: boolean
}

function Found({ text, q }: { readonly text: string; readonly q: string | undefined }) {
  return partsOf(text, q).map(([part, isFound], at) =>
    isFound ? (
      <mark key={at} className="found-word">
        {part}
      </mark>
    ) : (
      part
    ),
  )
}

/** Drawn once: a long list grows without drawing its earlier rows again. */
export const DecisionRow = memo(function DecisionRow({ center, item, isShown = false, q, isWide = false }: Properties) {
  const say = useDecisionsWords()
  const language = useLanguage()
  // One that waits for a second person is told apart from one that nobody has approved.
  const state = item.waiting && item.status === 'recorded' ? 'waiting' : item.status
  // Who approved; a refusal leaves no seal.
  const given = item.approvals.filter(({ result, level }) => result === 'approved' && level !== 'system')
  const who = [actorName(item), ...given.map(({ name }) => name ?? '')]
  const time = timeText(item.createdAt, language, 'clock')
  return (
    <li>
      <Link
        className={isWide ? 'item decisions-wide' : 'item'}
        to="/c/$center/decisions"
        params={{ center }}
        search={(before: object) => ({ ...before, id: item.eventId })}
        aria-current={isShown ? 'true' : undefined}
        activeProps={{}}
        resetScroll={isWide}
      >
        <b>
          <Found text={item.headline[language]} q={q} />
        </b>
        {isWide && item.amount !== null && (
          <span className="decisions-amount">{numberText(item.amount, language)}</span>
        )}
        <span className="when">
          <StatusWord tone={tones[state]}>{say(state)}</StatusWord>
        </span>
        <span className="sub">
          <Found text={[...who, ...(isWide ? [] : [time])].filter(Boolean).join(' · ')} q={q} />
        </span>
        {isWide && <span className="decisions-day">{timeText(item.createdAt, language, 'short')}</span>}
        {given.length > 0 && (
          <span className="decisions-seals" aria-hidden="true">
            {given.slice(0, 3).map(({ name, level, approverId }, at) => (
              <Seal
                key={`${approverId}${at}`}
                level={level}
                name={name ?? ''}
                hash={item.chainHash ?? item.eventId}
                size={38}
                label=""
              />
            ))}
          </span>
        )}
      </Link>
    </li>
  )
})
