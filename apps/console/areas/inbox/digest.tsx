/** The digest of the content, and whether this browser computed the same. */
import type { Compared } from '@countersign/proof/deciding.ts'
import { useDecisionWords } from '../../ui/decision/words.ts'
import { Hash } from '../../ui/hash.tsx'

const glyphs = { same: '✓', other: '✕', unknown: '○' } as const
const tones = { same: 'verified', other: 'broken', unknown: 'soft' } as const

export function DigestPart({ compared, digest }: { readonly compared: Compared; readonly digest: string }) {
  const say = useDecisionWords()
  return (
    <p className="inbox-digest small" id="digest">
      <span className="hash">
        {say('digest')} <Hash value={digest.replace(/^sha256:/, '')} />
      </span>
      <span className={tones[compared]}>
        <span aria-hidden="true">{glyphs[compared]} </span>
        {say(`digest${compared}`)}
      </span>
    </p>
  )
}
