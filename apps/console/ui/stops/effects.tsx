/** What a stop keeps from going on, and what goes on. */
import { StopSquare } from '../stop.tsx'
import { useStopWords } from './words.ts'

const keepsWorking = ['keepsOutcomes', 'keepsOthers', 'keepsDeadlines', 'keepsProofs'] as const

interface Properties {
  /** How many requests wait of what it covers. */
  readonly waiting: number
  /** It covers the whole center. */
  readonly whole: boolean
}

export function Effects({ waiting, whole }: Properties) {
  const say = useStopWords()
  return (
    <div className="stop-effects">
      <section>
        <h3>
          <StopSquare />
          {say('stops')}
        </h3>
        <ul>
          <li>{say('stopsRequests')}</li>
          <li>{waiting === 0 ? say('stopsApprovals') : say('stopsWaiting', { count: waiting })}</li>
          <li>{say('stopsRuns')}</li>
        </ul>
      </section>
      <section>
        <h3>
          <span aria-hidden="true">▷ </span>
          {say('keeps')}
        </h3>
        <ul>
          {keepsWorking
            .filter((each) => each !== 'keepsOthers' || !whole)
            .map((each) => (
              <li key={each}>{say(each)}</li>
            ))}
        </ul>
      </section>
    </div>
  )
}
