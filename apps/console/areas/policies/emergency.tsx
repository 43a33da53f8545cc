/** Who may approve in an emergency, and by when the line confirms it. */
import type { CheckedLine } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { durationText, numberText } from '../../ui/clock.ts'
import type { Body } from './body.ts'
import { Choice } from './clause.tsx'
import { withEmergency } from './line.ts'
import type { Naming } from './naming.ts'
import { WhoPicker } from './who.tsx'
import { usePolicyWords } from './words.ts'

const hour = 3600
const limits = [4 * hour, 12 * hour, 24 * hour, 48 * hour, 72 * hour, 168 * hour]

interface Properties {
  readonly body: Body
  readonly naming: Naming
  /** Who could use it and who could confirm it today, as the server says. */
  readonly checked: CheckedLine['emergency'] | null
  readonly onChange: (body: Body) => void
}

export function EmergencyRuleEditor({ body, naming, checked, onChange }: Properties) {
  const say = usePolicyWords()
  const language = useLanguage()
  const emergency = body.approval?.emergency
  if (!emergency) {
    const added = { roles: ['ADMIN' as const], confirmWithinSeconds: 24 * hour }
    return (
      <button type="button" className="quiet link" onClick={() => onChange(withEmergency(body, added))}>
        {say('emergencyAdd')}
      </button>
    )
  }
  const within = emergency.confirmWithinSeconds
  return (
    <div className="line-emergency">
      <div className="line-inform">
        <span>{say('emergency')}</span>
        <WhoPicker
          label={say('emergency')}
          none={say('informNobody')}
          named={emergency}
          naming={naming}
          onChange={(change) => onChange(withEmergency(body, { ...emergency, ...change } as typeof emergency))}
        />
        <Choice
          label={say('emergencyWithin')}
          value={String(within)}
          options={[...new Set([...limits, within])]
            .sort((a, b) => a - b)
            .map((seconds) => [String(seconds), say('emergencyIn', { time: durationText(seconds * 1000, language) })])}
          onChange={(seconds) => onChange(withEmergency(body, { ...emergency, confirmWithinSeconds: Number(seconds) }))}
        />
        <button type="button" className="quiet link" onClick={() => onChange(withEmergency(body, null))}>
          {say('emergencyDrop')}
        </button>
      </div>
      <p className="small soft measure">{say('emergencyExplained')}</p>
      {checked && (
        <p className={checked.problem === null ? 'small soft' : 'small waiting'}>
          {checked.problem === null
            ? say('emergencyAble', {
                people: numberText(checked.peopleCount, language),
                confirmers: numberText(checked.confirmerCount, language),
              })
            : `△ ${say('emergencyStuck')}`}
        </p>
      )}
    </div>
  )
}
