/** A workflow's settings in a center: whether and when it starts by itself, its thresholds and tags. */
import type { JsonObject } from '@countersign/sdk'
import { useId, useState } from 'react'
import { api } from '../../../app/api.ts'
import { useChange } from '../../../app/change.ts'
import { useLanguage } from '../../../app/i18n.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useDoneWords } from '../../../ui/done-words.ts'
import { ErrorLine } from '../../../ui/error-panel.tsx'
import { Field } from '../../../ui/field.tsx'
import type { WordedWorkflow } from '../../../ui/workflow-words.ts'
import { type Chosen, chosenOf, cronOf, repeats } from './cron.ts'
import { useScheduleText, weekdayText } from './schedule-text.ts'
import { isDraftWord, useDraftWords } from './words.ts'

interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly default?: string | number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

/** Of a parameter that every execution has without being told: only these are settings. */
const settable = (workflow: WordedWorkflow): readonly (readonly [name: string, schema: Schema])[] =>
  Object.entries((workflow.parameters as { properties?: Readonly<Record<string, Schema>> }).properties ?? {}).filter(
    ([name, { default: usual, enum: values }]) =>
      usual !== undefined && values === undefined && isDraftWord(`param${name}`),
  )

type When =
  | { readonly kind: 'own' }
  | { readonly kind: 'chosen'; readonly chosen: Chosen }
  | { readonly kind: 'cron'; readonly cron: string }

function whenOf(cron: string | null): When {
  if (cron === null) return { kind: 'own' }
  const chosen = chosenOf(cron)
  return chosen ? { kind: 'chosen', chosen } : { kind: 'cron', cron }
}

const maxTags = 10

export function SettingsButton({ workflow }: { readonly workflow: WordedWorkflow }) {
  const say = useDraftWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn plain low" onClick={() => setOpen(true)}>
        {say('settings')}
      </button>
      {open && <SettingsDialog workflow={workflow} onClose={() => setOpen(false)} />}
    </>
  )
}

function SettingsDialog({ workflow, onClose }: { readonly workflow: WordedWorkflow; onClose(): void }) {
  const say = useDraftWords()
  const done = useDoneWords()
  const { settings, schedule } = workflow
  const fields = settable(workflow)
  const [enabled, setEnabled] = useState(settings.enabled)
  const [when, setWhen] = useState<When>(whenOf(settings.schedule))
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(
      fields.map(([name]) => [name, name in settings.parameters ? String(settings.parameters[name]) : '']),
    ),
  )
  const [tags, setTags] = useState(settings.tags.join(', '))
  const given = [...new Set(tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
  const startsItself = schedule !== null || workflow.event !== null
  const cron = when.kind === 'own' ? undefined : when.kind === 'cron' ? when.cron.trim() : cronOf(when.chosen)
  const save = useChange(
    ['workflows'],
    () => {
      const others = Object.fromEntries(Object.entries(settings.parameters).filter(([name]) => !(name in values)))
      const own = fields.flatMap(([name, { type }]): [string, string | number][] => {
        const value = (values[name] ?? '').trim()
        return value === '' ? [] : [[name, type === 'string' ? value : Number(value)]]
      })
      const parameters = { ...others, ...Object.fromEntries(own) } as JsonObject
      return api.workflows.putSettings(workflow.id, {
        enabled,
        parameters,
        tags: given,
        ...(cron && { schedule: cron }),
      })
    },
    {
      told: () => done('saved', { name: workflow.name }),
      undo: () => {
        const { schedule: earlier, ...others } = settings
        return () =>
          api.workflows.putSettings(workflow.id, { ...others, ...(earlier !== null && { schedule: earlier }) })
      },
      onDone: onClose,
    },
  )
  const faultOf = (name: string, { type, minimum, maximum }: Schema): string | undefined => {
    const value = (values[name] ?? '').trim()
    if (value === '' || type === 'string') return undefined
    const number = Number(value)
    const isOut = Number.isNaN(number) || number < (minimum ?? -Infinity) || number > (maximum ?? Infinity)
    return isOut || (type === 'integer' && !Number.isInteger(number))
      ? say('between', { min: minimum ?? '', max: maximum ?? '' })
      : undefined
  }
  const hasFault = given.length > maxTags || fields.some(([name, schema]) => faultOf(name, schema) !== undefined)
  return (
    <Dialog
      title={say('settingsTitle', { name: workflow.name })}
      onClose={onClose}
      action={{
        text: say('saveSettings'),
        disabled: save.isPending || hasFault,
        run: () => save.mutate(),
      }}
    >
      <div className="center-form">
        <p className="soft small">{say('settingsLede')}</p>
        {startsItself && (
          <label className="switch">
            <input type="checkbox" checked={enabled} onChange={({ target }) => setEnabled(target.checked)} />
            {say('automatic')}
          </label>
        )}
        {schedule && enabled && <WhenFields {...{ when, setWhen, schedule }} isOwn={settings.schedule === null} />}
        {fields.length > 0 && <h3>{say('thresholds')}</h3>}
        {fields.map(([name, schema]) => {
          const { type, default: usual, minLength, maxLength, pattern } = schema
          const fault = faultOf(name, schema)
          return (
            <Field
              key={name}
              label={workflow.told?.fields[name] ?? say(`param${name}` as 'paramdays')}
              hint={say('usual', { value: String(usual) })}
              {...(fault !== undefined && { fault })}
              inputMode={type === 'string' ? 'text' : 'decimal'}
              {...(type === 'string' && { minLength, maxLength, pattern })}
              placeholder={String(usual)}
              value={values[name] ?? ''}
              onChange={({ target }) => setValues((now) => ({ ...now, [name]: target.value }))}
            />
          )
        })}
        <Field
          label={say('tags')}
          hint={say('tagsHint')}
          {...(given.length > maxTags && { fault: say('tagsMany') })}
          data-field="tags"
          value={tags}
          onChange={({ target }) => setTags(target.value)}
        />
        <ErrorLine error={save.error} />
      </div>
    </Dialog>
  )
}

interface WhenProperties {
  readonly when: When
  readonly schedule: { readonly cron: string }
  /** The schedule is the workflow's own: the center has chosen none. */
  readonly isOwn: boolean
  setWhen(when: When): void
}

const fresh: Chosen = { repeat: 'weekly', time: '07:00', day: 1, date: 1 }
const days = [1, 2, 3, 4, 5, 6, 0]

function WhenFields({ when, schedule, isOwn, setWhen }: WhenProperties) {
  const say = useDraftWords()
  const language = useLanguage()
  const text = useScheduleText()
  const id = useId()
  const chosen = when.kind === 'chosen' ? when.chosen : null
  const choose = (kind: string) => {
    if (kind === 'own') setWhen({ kind: 'own' })
    else if (kind === 'other') setWhen({ kind: 'cron', cron: schedule.cron })
    else {
      const repeat = repeats.find((each) => each === kind) ?? 'weekly'
      setWhen({ kind: 'chosen', chosen: { ...(chosen ?? chosenOf(schedule.cron) ?? fresh), repeat } })
    }
  }
  const set = (part: Partial<Chosen>) => chosen && setWhen({ kind: 'chosen', chosen: { ...chosen, ...part } })
  return (
    <div className="center-form">
      <div className="labeled">
        <label className="label" htmlFor={`${id}-how`}>
          {say('how')}
        </label>
        <select
          id={`${id}-how`}
          className="field"
          value={chosen?.repeat ?? (when.kind === 'cron' ? 'other' : 'own')}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="own">{isOwn ? say('howown', { text: text(schedule.cron) }) : say('howsuggested')}</option>
          {repeats.map((each) => (
            <option key={each} value={each}>
              {say(`how${each}`)}
            </option>
          ))}
          <option value="other">{say('howother')}</option>
        </select>
      </div>
      {when.kind === 'cron' && (
        <Field
          label={say('cron')}
          hint={say('cronHint')}
          required
          minLength={9}
          maxLength={100}
          className="mono"
          data-field="schedule"
          value={when.cron}
          onChange={({ target }) => setWhen({ kind: 'cron', cron: target.value })}
        />
      )}
      {chosen?.repeat === 'weekly' && (
        <div className="labeled">
          <label className="label" htmlFor={`${id}-day`}>
            {say('onDay')}
          </label>
          <select
            id={`${id}-day`}
            className="field"
            value={chosen.day}
            onChange={({ target }) => set({ day: Number(target.value) })}
          >
            {days.map((day) => (
              <option key={day} value={day}>
                {weekdayText(day, language)}
              </option>
            ))}
          </select>
        </div>
      )}
      {chosen?.repeat === 'monthly' && (
        <Field
          label={say('onDate')}
          hint={say('dateHint')}
          type="number"
          required
          min={1}
          max={31}
          value={chosen.date}
          onChange={({ target }) => set({ date: Math.max(1, Math.min(31, Math.trunc(Number(target.value)) || 1)) })}
        />
      )}
      {chosen && (
        <Field
          label={say('at')}
          type="time"
          required
          value={chosen.time}
          onChange={({ target }) => target.value && set({ time: target.value })}
        />
      )}
    </div>
  )
}
