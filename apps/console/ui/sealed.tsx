/** A seal with the word for its level beside it: the picture never stands alone. */
import type { SealInput } from '@countersign/design/seal.ts'
import { Seal } from './picture.tsx'
import { useUiWords } from './words.ts'

const words = {
  passkey: 'levelPasskey',
  session: 'levelSession',
  claim: 'levelClaim',
  system: 'levelSystem',
} as const

interface Properties extends Omit<SealInput, 'label' | 'level'> {
  readonly level: keyof typeof words
}

export function Sealed({ level, ...input }: Properties) {
  const say = useUiWords()
  return (
    <span className="sealed">
      <Seal {...input} level={level} label="" />
      <span className="soft small">{say(words[level])}</span>
    </span>
  )
}
