import { useUiWords } from './words.ts'

/** How many passkeys wait for this person. */
export function Badge({ count }: { readonly count: number }) {
  const say = useUiWords()
  if (count === 0) return null
  return (
    <>
      {' '}
      <span className="badge" role="img" aria-label={say('waitingPasskeys', { count })}>
        ◌ {count}
      </span>
    </>
  )
}
