/** Counts down while the server asks to wait. */
import { useEffect, useState } from 'react'
import { pauseStore } from '../app/pauses.ts'
import { useStore } from '../app/use-store.ts'
import { useUiWords } from './words.ts'

export function Pause() {
  const say = useUiWords()
  const until = useStore(pauseStore)
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (until === 0) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until])
  if (until === 0) return null
  return (
    <p className="pause waiting" role="status">
      <span aria-hidden="true">◷ </span>
      {say('paused', { count: Math.max(1, Math.ceil((until - now) / 1000)) })}
    </p>
  )
}
