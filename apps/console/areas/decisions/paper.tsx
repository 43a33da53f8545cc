/** What a printed decision has beside what the screen shows: whose it is, its place in the chain, and how to check it. */
import { checkNumber } from '@countersign/proof/check-number.ts'
import type { Decision } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../app/i18n.ts'
import { centerQuery } from '../../app/queries.ts'
import { visible } from '../../decision/read.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { PaperLogo } from '../../ui/paper-logo.tsx'
import { useDecisionsWords } from './words.ts'
import './paper.css'

export const PrintButton = () => {
  const say = useDecisionsWords()
  return (
    <button type="button" className="quiet link off-paper" onClick={() => window.print()}>
      {say('print')}
    </button>
  )
}

export function PaperHead({ center }: { readonly center: string }) {
  const { data } = useQuery(centerQuery(center))
  return (
    <div className="paper-only paper-head">
      <PaperLogo center={center} />
      {visible(data?.name ?? '')}
    </div>
  )
}

export function PaperFoot({ decision }: { readonly decision: Decision }) {
  const say = useDecisionsWords()
  const language = useLanguage()
  const { chainHash, chainIndex } = decision.evidence
  const number = checkNumber(chainHash)
  const printed = say('paperAt', { time: timeText(Date.now(), language, 'long') })
  if (chainHash === null || number === null)
    return (
      <footer className="paper-only paper-foot">
        <p>{say('paperOpen')}</p>
        <p>{printed}</p>
      </footer>
    )
  return (
    <footer className="paper-only paper-foot">
      <p>
        <b>{say('checkNumber', { number })}</b> · {say('place', { index: numberText((chainIndex ?? 0) + 1, language) })}
      </p>
      <p className="mono">{say('paperHash', { hash: chainHash.replace(/^sha256:/, '') })}</p>
      <p>
        {say('paperCopy', { address: `${location.origin}/verify/${decision.id}` })} {printed}
      </p>
    </footer>
  )
}
