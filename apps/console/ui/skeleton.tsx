/** The lines of what is coming. Nothing for 200 ms, so that a quick answer does not flicker. */
import { useEffect, useState } from 'react'
import { useUiWords } from './words.ts'

const patienceMs = 200
const slowMs = 5000

export function Skeleton({ rows = 5 }: { readonly rows?: number }) {
  const say = useUiWords()
  const [shown, setShown] = useState<'nothing' | 'lines' | 'slow'>('nothing')
  useEffect(() => {
    const timers = [setTimeout(setShown, patienceMs, 'lines'), setTimeout(setShown, slowMs, 'slow')]
    return () => timers.forEach(clearTimeout)
  }, [])
  if (shown === 'nothing') return null
  return (
    <div className="skeleton" aria-busy="true">
      <p role="status" className={shown === 'slow' ? 'soft' : 'unseen'}>
        {say(shown === 'slow' ? 'slow' : 'loading')}
      </p>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton-row" />
      ))}
    </div>
  )
}
