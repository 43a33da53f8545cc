/** Before the button: what else the person has at the chosen time. A center refuses two at once, and knows only its own. */
import type { Slot } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { useAround } from './data.ts'
import { type Appointment, clashesOf } from './overlap.ts'
import { useFamilyWords } from './words.ts'

interface Asked {
  readonly slot: Slot | null
  readonly childId: string
  readonly centerDomain: string
  readonly moved?: string | undefined
  /** What the page has of a client, where those in other centers can't be read. */
  readonly own?: readonly Appointment[] | undefined
}

export function useClashes({ slot, childId, centerDomain, moved, own }: Asked) {
  const around = useAround(childId, slot?.startsAt)
  const known = around.data?.appointments ?? own ?? []
  const clashes = slot ? clashesOf(slot, childId, known, moved) : []
  const here = clashes.filter((each) => each.centerDomain === centerDomain)
  return {
    refused: here,
    // Beside a refusal, a warning is no news.
    elsewhere: here.length > 0 ? [] : clashes,
    unknown: slot ? (around.data?.unavailable ?? []) : [],
    /** Until then, nobody knows whether to warn. */
    isAsking: slot !== null && around.isPending,
  }
}

export function Clashes({ refused, elsewhere, unknown }: ReturnType<typeof useClashes>) {
  const say = useFamilyWords()
  const language = useLanguage()
  const spanOf = ({ startsAt, endsAt }: Appointment) =>
    `${timeText(startsAt, language, 'clock')}–${timeText(endsAt, language, 'clock')}`
  return (
    <div role="status" className="family-clashes">
      {refused.map((each) => (
        <p key={each.id} className="broken">
          <span aria-hidden="true">✕ </span>
          {say('clashHere', { time: spanOf(each) })}
        </p>
      ))}
      {elsewhere.map((each) => (
        <p key={each.id} className="waiting">
          <span aria-hidden="true">◷ </span>
          {say('clashElsewhere', { center: each.centerName, time: spanOf(each) })}
        </p>
      ))}
      {unknown.map(({ centerId, centerName }) => (
        <p key={centerId} className="soft small">
          {say('clashUnknown', { center: centerName })}
        </p>
      ))}
    </div>
  )
}
