/** A new plan, or a new version that begins as the one before. */
import type { PlanVersion } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { useOperatorWords } from './words.ts'

type CenterFeature = PlanVersion['features'][number]
const centerFeatures: readonly CenterFeature[] = [
  'booking',
  'attendance',
  'families',
  'customDomain',
  'workflowSettings',
]

interface Properties {
  /** Null for a new plan. */
  readonly from: PlanVersion | null
  readonly onClose: () => void
}

const first = {
  ...{ name: '', price: 0, currency: 'KRW', billingCycle: 'MONTHLY', seatLimit: 20, staffLimit: null, trialDays: 14 },
  ...{ webhooks: 20, features: ['booking', 'attendance', 'families', 'customDomain'], offered: true },
} as const

const numbersOf = ['price', 'seatLimit', 'trialDays', 'webhooks'] as const
const least = { price: 0, seatLimit: 1, trialDays: 0, webhooks: 20 } as const

export function PlanForm({ from, onClose }: Properties) {
  const say = useOperatorWords()
  const done = useDoneWords()
  const begin = from ?? first
  const [id, setId] = useState(from?.id ?? '')
  const [name, setName] = useState<string>(begin.name)
  const [numbers, setNumbers] = useState(() => ({
    ...{ price: String(begin.price), seatLimit: String(begin.seatLimit) },
    ...{ trialDays: String(begin.trialDays), webhooks: String(begin.webhooks) },
  }))
  const [staff, setStaff] = useState(begin.staffLimit === null ? '' : String(begin.staffLimit))
  const [cycle, setCycle] = useState<PlanVersion['billingCycle']>(from?.billingCycle ?? 'MONTHLY')
  const [features, setFeatures] = useState<readonly CenterFeature[]>(begin.features as readonly CenterFeature[])
  const [offered, setOffered] = useState<boolean>(begin.offered)
  const save = useChange(
    ['plans'],
    () => {
      const version = {
        ...{ name, currency: begin.currency, billingCycle: cycle, features: [...features], offered },
        ...{ price: Number(numbers.price), seatLimit: Number(numbers.seatLimit) },
        ...{ trialDays: Number(numbers.trialDays), webhooks: Number(numbers.webhooks) },
        staffLimit: staff === '' ? null : Number(staff),
      }
      return from === null ? api.admin.addPlan({ id, ...version }) : api.admin.addPlanVersion(from.id, version)
    },
    { told: () => done('saved', { name }), onDone: onClose },
  )
  const toggle = (feature: CenterFeature, on: boolean) =>
    setFeatures(on ? [...features, feature] : features.filter((each) => each !== feature))
  return (
    <Part title={from === null ? say('addPlan') : say('versionOf', { plan: from.name })}>
      <p className="soft">{say(from === null ? 'addPlanText' : 'versionText')}</p>
      <form
        className="operator-form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {from === null && (
          <Field
            label={say('planId')}
            hint={say('planIdHint')}
            required
            pattern="[a-z0-9\-]{1,64}"
            data-field="id"
            value={id}
            onChange={({ target }) => setId(target.value.toLowerCase())}
          />
        )}
        <Field
          label={say('planName')}
          required
          maxLength={60}
          data-field="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <label className="labeled">
          <span className="label">{say('cycle')}</span>
          <select
            className="field"
            value={cycle}
            onChange={({ target }) => setCycle(target.value === 'YEARLY' ? 'YEARLY' : 'MONTHLY')}
          >
            <option value="MONTHLY">{say('cycleMONTHLY')}</option>
            <option value="YEARLY">{say('cycleYEARLY')}</option>
          </select>
        </label>
        {numbersOf.map((each) => (
          <Field
            key={each}
            label={each === 'price' ? say('priceIn', { currency: begin.currency }) : say(`limit${each}`)}
            type="number"
            required
            min={least[each]}
            value={numbers[each]}
            onChange={({ target }) => setNumbers({ ...numbers, [each]: target.value })}
          />
        ))}
        <Field
          label={say('staffLimit')}
          hint={say('staffLimitHint')}
          type="number"
          min={1}
          value={staff}
          onChange={({ target }) => setStaff(target.value)}
        />
        <fieldset className="choices">
          <legend className="label">{say('features')}</legend>
          {centerFeatures.map((feature) => (
            <label key={feature} className="operator-tick">
              <input
                type="checkbox"
                className="box"
                checked={features.includes(feature)}
                onChange={({ target }) => toggle(feature, target.checked)}
              />
              {say(`feature${feature}`)}
            </label>
          ))}
        </fieldset>
        <label className="operator-tick">
          <input
            type="checkbox"
            className="box"
            checked={offered}
            onChange={({ target }) => setOffered(target.checked)}
          />
          {say('isOffered')}
        </label>
        <div className="button-line">
          <button type="submit" className="btn first" disabled={save.isPending}>
            {say(from === null ? 'addPlan' : 'addVersion')}
          </button>
          <button type="button" className="btn plain" onClick={onClose}>
            {say('cancel')}
          </button>
        </div>
        <ErrorLine error={save.error} />
      </form>
    </Part>
  )
}
