/** One step of the line: its title, who fills its places, how they are known, and what happens if nobody does. */
import type { CheckedStep, PolicyStep } from '@countersign/sdk'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { durationText, numberText } from '../../ui/clock.ts'
import { type Body, mostPlaces } from './body.ts'
import { Choice } from './clause.tsx'
import { changed, countIn, levelOf } from './line.ts'
import type { Naming } from './naming.ts'
import { stepTitle } from './naming.ts'
import { WhoPicker } from './who.tsx'
import { usePolicyWords } from './words.ts'

const identities = ['passkey', 'session', 'claim'] as const
const hour = 3600
const waits = [0, hour, 2 * hour, 4 * hour, 24 * hour]
const mostNamed = 2

interface Properties {
  readonly body: Body
  readonly step: PolicyStep
  readonly at: number
  readonly of: number
  /** How many more places the line can have. */
  readonly free: number
  readonly naming: Naming
  /** Who could fill it today, as the server says. */
  readonly able: CheckedStep | undefined
  onStep(step: PolicyStep): void
  onLevel(level: (typeof identities)[number]): void
  onMove(to: number): void
  onRemove(): void
  onGrip(event: PointerEvent): void
}

export function LineStep(properties: Properties) {
  const { body, step, at, of, free, naming, able, onStep, onLevel, onMove, onRemove, onGrip } = properties
  const say = usePolicyWords()
  const language = useLanguage()
  const number = say('stepNumber', { number: at + 1 })
  const after = step.escalateTo?.afterSeconds ?? 0
  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    Home: 0,
    End: of - 1,
  }
  const move = (event: KeyboardEvent) => {
    const to = keys[event.key]
    if (to === undefined) return
    event.preventDefault()
    onMove(to)
  }
  const counts = Array.from({ length: Math.min(mostPlaces, countIn(step) + free) }, (_, count) => count + 1)
  return (
    <>
      <div className="line-head">
        <span>{number}</span>
        <span className="line-moves">
          <button
            type="button"
            className="line-move"
            aria-label={say('moveEarlier', { step: number })}
            disabled={at === 0}
            onClick={() => onMove(at - 1)}
          >
            ‹
          </button>
          <button
            type="button"
            className="line-move grip"
            aria-label={say('moveStep', { step: number })}
            aria-describedby="line-keys"
            onKeyDown={move}
            onPointerDown={onGrip}
          >
            ⠿
          </button>
          <button
            type="button"
            className="line-move"
            aria-label={say('moveLater', { step: number })}
            disabled={at === of - 1}
            onClick={() => onMove(at + 1)}
          >
            ›
          </button>
        </span>
      </div>
      <div className="line-body">
        <input
          className="line-title"
          aria-label={say('stepTitle', { step: number })}
          placeholder={say('stepTitleHint')}
          maxLength={40}
          value={step.title ?? ''}
          onChange={(event) => onStep(changed(step, { title: event.target.value || undefined }))}
        />
        <WhoPicker
          label={say('stepWhoLabel', { step: number })}
          none={say('whoAll')}
          named={step}
          naming={naming}
          onChange={(change) => onStep(changed(step, change as Partial<PolicyStep>))}
        />
        <p className="line-blanks">
          <Choice
            label={say('stepCount', { step: number })}
            value={String(countIn(step))}
            options={counts.map((count) => [String(count), say('stepCountOf', { count })])}
            onChange={(count) => onStep(changed(step, { count: count === '1' ? undefined : Number(count) }))}
          />{' '}
          <Choice
            label={say('stepLevel', { step: number })}
            value={levelOf(body, step)}
            options={identities.map((each) => [each, say(`level${each}`)])}
            onChange={(each) => onLevel(each as 'passkey')}
          />{' '}
          <Choice
            label={say('stepEscalation', { step: number })}
            value={String(after)}
            options={[...new Set([...waits, after])].map((seconds) => [
              String(seconds),
              seconds === 0
                ? say('escalateNever')
                : say('escalateAfter', { time: durationText(seconds * 1000, language) }),
            ])}
            onChange={(seconds) =>
              onStep(
                changed(step, {
                  escalateTo:
                    seconds === '0'
                      ? undefined
                      : { ...(step.escalateTo ?? { roles: ['ADMIN'] }), afterSeconds: Number(seconds) },
                }),
              )
            }
          />
        </p>
        <label className="line-check">
          <input
            type="checkbox"
            checked={step.delegated ?? false}
            onChange={(event) => onStep(changed(step, { delegated: event.target.checked || undefined }))}
          />
          {say('delegatedStep')}
        </label>
        <Able able={able} title={stepTitle(step, at, say)} />
        {of > 1 && (
          <button type="button" className="quiet link" onClick={onRemove}>
            {say('removeStep', { step: number })}
          </button>
        )}
      </div>
    </>
  )
}

function Able({ able, title }: { readonly able: CheckedStep | undefined; readonly title: string }) {
  const say = usePolicyWords()
  const language = useLanguage()
  if (!able) return null
  const count = numberText(able.peopleCount, language)
  const names = able.people.slice(0, mostNamed).map(({ name }) => name)
  const rest = able.peopleCount - names.length
  if (able.peopleCount < able.count) {
    return (
      <p className="line-able waiting">
        △ {say(able.peopleCount === 0 ? 'ableNobody' : 'ableFew', { title, count, needed: able.count })}
      </p>
    )
  }
  return (
    <p className="line-able">
      {say('able', { count })} · {names.join(', ')}
      {rest > 0 && ` ${say('ableMore', { count: numberText(rest, language) })}`}
    </p>
  )
}
