/** Several approvals, one after the other: each is read, compared, sent and recorded alone. */
import type { InboxItem } from '@countersign/sdk'
import { useRef, useState } from 'react'
import { queries } from '../../app/queries.ts'
import { decide, decisionQuery, type Obstacle } from '../../ui/decision/decide.ts'
import { nameOf, whatOf } from '../../ui/decision/read.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { press } from './pressed.ts'
import { useInboxWords } from './words.ts'

type State = 'batchWaits' | 'batchNow' | 'batchSealed' | 'batchFirst' | 'batchFaster' | Obstacle
const tones: Readonly<Record<string, Tone>> = {
  batchWaits: 'plain',
  batchNow: 'waiting',
  batchSealed: 'verified',
  batchFirst: 'verified',
  batchFaster: 'plain',
}

interface Properties {
  readonly items: readonly InboxItem[]
  readonly actorId: string
  onClose(): void
}

export function Batch({ items: given, actorId, onClose }: Properties) {
  const say = useInboxWords()
  // The list behind the dialog changes while it works.
  const [items] = useState(given)
  const [states, setStates] = useState<Readonly<Record<string, State>>>({})
  const [running, setRunning] = useState(false)
  const stopped = useRef(false)
  const done = Object.values(states).filter((state) => state !== 'batchNow').length

  async function one(eventId: string): Promise<State> {
    try {
      const decision = await queries.fetchQuery({ ...decisionQuery(eventId), staleTime: 0 })
      const outcome = await decide(decision, actorId, { result: 'approved' })
      if (outcome.kind === 'obstacle') return outcome.obstacle
      if (outcome.kind === 'first') return 'batchFirst'
      if (outcome.kind === 'faster') return 'batchFaster'
      const { approvals, evidence, actionDigest } = outcome.decision
      const last = approvals.at(-1)
      if (last) {
        const hash = evidence.chainHash ?? actionDigest
        press({ id: eventId, hash, name: nameOf(last), level: last.identity.level, result: 'approved' })
      }
      return 'batchSealed'
    } catch {
      return 'failed'
    }
  }

  async function run() {
    setRunning(true)
    for (const { eventId } of items) {
      if (stopped.current) break
      setStates((before) => ({ ...before, [eventId]: 'batchNow' }))
      const state = await one(eventId)
      setStates((before) => ({ ...before, [eventId]: state }))
    }
    setRunning(false)
  }
  const close = () => {
    stopped.current = true
    onClose()
  }
  const finished = done === items.length
  const actions = (
    <>
      <button type="button" className="btn plain" onClick={close}>
        {say(running ? 'batchStop' : 'batchClose')}
      </button>
      {!finished && (
        <button type="button" className="btn first" disabled={running} onClick={run}>
          {say('batchStart')}
        </button>
      )}
    </>
  )
  return (
    <Dialog title={say('batchTitle', { count: items.length })} onClose={close} actions={actions}>
      <p className="soft">{say('batchText')}</p>
      <progress className="inbox-progress" max={items.length} value={done} aria-label={say('title')} />
      <p className="small soft" role="status">
        {say('batchProgress', { done, count: items.length })}
      </p>
      <ul className="inbox-batched">
        {items.map((item) => {
          const state = states[item.eventId] ?? 'batchWaits'
          const word = state.startsWith('batch') ? say(state as 'batchWaits') : say(`stop${state as Obstacle}`)
          return (
            <li key={item.eventId}>
              <b>{whatOf(item)}</b>
              {state in tones ? (
                <StatusWord tone={tones[state] as Tone}>{word}</StatusWord>
              ) : (
                <span className="broken">✕ {word}</span>
              )}
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
