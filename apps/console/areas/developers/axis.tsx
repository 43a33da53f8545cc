/** The attempts of one delivery on the axis of the retry schedule. Its positions are equal steps: the times grow by powers. */
import type { TrackedDelivery } from '@countersign/sdk'
import type { Language } from '../../app/i18n.ts'
import type { DeveloperWords } from './words.ts'

/** Pauses before each attempt, until a delivery names its own. */
export const usualSchedule = [0, 30, 120, 600, 3600, 21_600, 86_400]

export function pauseText(seconds: number, say: DeveloperWords, language: Language): string {
  if (seconds === 0) return say('at0')
  const [unit, size] =
    seconds < 60 ? (['second', 1] as const) : seconds < 3600 ? (['minute', 60] as const) : (['hour', 3600] as const)
  const style = { style: 'unit', unit, unitDisplay: language === 'ko' ? 'long' : 'short' } as const
  return new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US', style).format(Math.round(seconds / size))
}

const step = 100
const middle = 16

export function Axis({ delivery, slots }: { readonly delivery: TrackedDelivery; readonly slots: number }) {
  const { attempts, state } = delivery
  // Attempts that a person asked for come after the last slot.
  const shown = Math.min(attempts, slots)
  const at = (slot: number) => 12 + slot * step
  const rest = state === 'pending' ? slots - shown : 0
  return (
    <svg className="dev-axis" viewBox={`0 0 ${slots * step} 32`} aria-hidden="true">
      {shown > 1 && <path className="done" d={`M${at(0)} ${middle}H${at(shown - 1)}`} />}
      {rest > 0 && <path className="coming" d={`M${at(Math.max(0, shown - 1))} ${middle}H${at(slots - 1)}`} />}
      {Array.from({ length: shown }, (_, slot) =>
        state === 'success' && slot === shown - 1 ? (
          <g key={slot}>
            <circle className="good" cx={at(slot)} cy={middle} r={6.5} />
            <path className="tick" d={`M${at(slot) - 3} ${middle}l2.2 2.4 4-4.8`} />
          </g>
        ) : (
          <path key={slot} className="bad" d={`M${at(slot) - 5} ${middle - 5}l10 10m0-10l-10 10`} />
        ),
      )}
      {Array.from({ length: rest }, (_, slot) => (
        <circle key={slot} className="next" cx={at(shown + slot)} cy={middle} r={5} />
      ))}
    </svg>
  )
}
