/** Who is to confirm one's own passkeys in this center, and the number to tell them. */
import { checkNumber } from '../app/passkeys.ts'
import { useStanding } from '../app/waiting-passkeys.ts'
import { waitsText } from '../decision/passkey-standing.ts'
import { useDecisionWords } from './decision/words.ts'

export function OwnStanding() {
  const say = useDecisionWords()
  const { data } = useStanding()
  const text = data && waitsText(data, say)
  if (!data || !text) return null
  return (
    <div className="own-standing" role="status">
      <p className="waiting">
        <span aria-hidden="true">◌ </span>
        {text}
      </p>
      {data.waiting.map(({ id, thumbprint }) => (
        <p key={id} className="mono check-number">
          {checkNumber(thumbprint)}
        </p>
      ))}
    </div>
  )
}
