/** What a new center does first. A step is done when the thing exists; the list goes away by itself, or here. */
import type { Today } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { keep, kept } from '../../app/kept.ts'
import { useTodayWords } from './words.ts'

type Step = NonNullable<Today['steps']>[number]

const places: Readonly<Record<Step['step'], string>> = {
  name: '/c/$center/settings',
  hours: '/c/$center/settings',
  staff: '/c/$center/members',
  clients: '/c/$center/members',
  passkey: '/me',
  policy: '/c/$center/policies',
  agent: '/c/$center/developers',
}

export function FirstWeek({ center, steps }: { readonly center: string; readonly steps: readonly Step[] }) {
  const say = useTodayWords()
  const key = `countersign-first-week ${center}`
  const [hidden, setHidden] = useState(() => kept(key) !== null)
  if (hidden) return null
  const done = steps.filter((each) => each.done).length
  return (
    <section className={done * 2 < steps.length ? 'today-new' : undefined}>
      <h2 className="today-steps-head">
        {say('firstWeek')} <span className="soft">{say('stepsDone', { done, all: steps.length })}</span>
      </h2>
      <ul className="today-steps">
        {steps.map((each) => (
          <li key={each.step}>
            <span aria-hidden="true" className={each.done ? 'soft' : 'waiting'}>
              {each.done ? '✓' : '◌'}
            </span>
            {each.done ? (
              <span className="soft">
                {say(`step${each.step}`)} <span className="unseen">{say('stepDone')}</span>
              </span>
            ) : (
              <Link to={places[each.step]} params={{ center }} className="link">
                {say(`step${each.step}`)}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <p>{say('stepsEnd')}</p>
      <button
        type="button"
        className="quiet"
        onClick={() => {
          keep(key, 'hidden')
          setHidden(true)
        }}
      >
        {say('stepsHide')}
      </button>
    </section>
  )
}
