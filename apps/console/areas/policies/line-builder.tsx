/** The approval line of a policy: a template first, then its steps, moved by hand, by button or by key. */
import type { CheckedLine, PolicyStep } from '@countersign/sdk'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { type Body, mostPlaces, placesOf } from './body.ts'
import { EmergencyRuleEditor } from './emergency.tsx'
import {
  moved,
  type Named,
  replaced,
  stepsOf,
  templateOf,
  templates,
  withInform,
  withLevel,
  withSteps,
  withTemplate,
} from './line.ts'
import { LineStep } from './line-step.tsx'
import { type Naming, stepTitle } from './naming.ts'
import { WhoPicker } from './who.tsx'
import { usePolicyWords } from './words.ts'

interface Properties {
  readonly body: Body
  readonly naming: Naming
  /** The line as the server would judge it today. */
  readonly checked: CheckedLine | undefined
  readonly onChange: (body: Body) => void
}

export function LineBuilder({ body, naming, checked, onChange }: Properties) {
  const say = usePolicyWords()
  const current = templateOf(body)
  const steps = stepsOf(body)
  const titles = { staff: say('titleStaff'), director: say('titleDirector') }
  const inform = body.approval?.inform
  const [informing, setInforming] = useState(inform !== undefined)
  return (
    <section className="line-builder" aria-label={say('line')}>
      <fieldset className="line-templates" aria-label={say('chooseLine')}>
        {templates.map((each) => (
          <button
            key={each}
            type="button"
            className="btn low plain"
            aria-pressed={current === each}
            onClick={() => onChange(withTemplate(body, each, titles))}
          >
            {say(`template${each}`)}
          </button>
        ))}
      </fieldset>
      {steps && <Steps {...{ body, naming, checked, onChange, steps }} />}
      {current !== null &&
        (informing ? (
          <div className="line-inform">
            <span>{say('inform')}</span>
            <WhoPicker
              label={say('inform')}
              none={say('informNobody')}
              named={inform ?? {}}
              naming={naming}
              onChange={(change) => onChange(withInform(body, defined({ ...inform, ...change })))}
            />
          </div>
        ) : (
          <button type="button" className="quiet link" onClick={() => setInforming(true)}>
            {say('informAdd')}
          </button>
        ))}
      {current !== null && <EmergencyRuleEditor {...{ body, naming, onChange }} checked={checked?.emergency ?? null} />}
    </section>
  )
}

const defined = (named: object): Named =>
  Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as Named

function Steps({ body, naming, checked, onChange, steps }: Properties & { readonly steps: readonly PolicyStep[] }) {
  const say = usePolicyWords()
  const list = useRef<HTMLOListElement>(null)
  /** Where the step that is dragged stands now. */
  const dragged = useRef<number | null>(null)
  const [focused, setFocused] = useState<number | null>(null)
  const [told, setTold] = useState('')
  const free = mostPlaces - placesOf(steps)

  const change = (next: readonly PolicyStep[]) => onChange(withSteps(body, next))
  const move = (from: number, to: number) => {
    const step = steps[from]
    if (!step || to < 0 || to >= steps.length || to === from) return
    change(moved(steps, from, to))
    setTold(say('movedStep', { title: stepTitle(step, from, say), number: to + 1, count: steps.length }))
  }
  const moveFocused = (from: number, to: number) => {
    move(from, to)
    if (to >= 0 && to < steps.length) setFocused(to)
  }
  // The step has moved: the focus goes with it.
  useEffect(() => {
    if (focused === null) return
    list.current?.querySelectorAll<HTMLElement>('.grip')[focused]?.focus()
    setFocused(null)
  }, [focused])

  const grip = (at: number) => (event: PointerEvent) => {
    dragged.current = at
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const drag = (event: PointerEvent) => {
    const from = dragged.current
    if (from === null) return
    const below = document.elementFromPoint(event.clientX, event.clientY)?.closest('.line-step')
    const to = below ? [...(list.current?.children ?? [])].indexOf(below) : -1
    if (to < 0 || to === from) return
    dragged.current = to
    move(from, to)
  }
  const drop = () => {
    dragged.current = null
  }
  const remove = (at: number) => {
    const step = steps[at] as PolicyStep
    change(steps.toSpliced(at, 1))
    setTold(say('removedStep', { title: stepTitle(step, at, say) }))
    setFocused(Math.max(0, at - 1))
  }
  return (
    <>
      <p id="line-keys" className="unseen">
        {say('moveKeys')}
      </p>
      <p role="status" className="unseen">
        {told}
      </p>
      <ol ref={list} className="line-steps" onPointerMove={drag} onPointerUp={drop} onPointerCancel={drop}>
        {steps.map((step, at) => (
          <li key={at} className="line-step">
            <LineStep
              {...{ body, step, at, free, naming }}
              of={steps.length}
              able={checked?.steps[at]}
              onStep={(next) => change(replaced(steps, at, next))}
              onLevel={(level) => onChange(withLevel(body, at, level))}
              onMove={(to) => moveFocused(at, to)}
              onRemove={() => remove(at)}
              onGrip={grip(at)}
            />
          </li>
        ))}
      </ol>
      <p className="line-under">
        <button
          type="button"
          className="btn low plain"
          disabled={free <= 0}
          onClick={() => {
            change([...steps, {}])
            setTold(say('addedStep', { number: steps.length + 1 }))
          }}
        >
          + {say('addStep')}
        </button>
        {free <= 0 && <span className="small soft">{say('lineFull', { count: mostPlaces })}</span>}
      </p>
    </>
  )
}
