/** Why a chain is broken, in the language of the reader. The server and the verifier say it in English. */
import { useUiWords } from './words.ts'

const reasons = {
  "previousHash isn't the hash of the previous entry": 'brokePrevious',
  "sealedAt isn't a time": 'brokeTime',
  'sealedAt is earlier than in the previous entry': 'brokeOrder',
  "the hash doesn't match the content": 'brokeHash',
  "the content isn't in canonical form": 'brokeForm',
  'the content has a different index': 'brokeIndex',
  'the content has a different id': 'brokeId',
  'the content names a different log': 'brokeLog',
  'the head of the chain does not match this entry': 'brokeHead',
  'there is an entry before the first one': 'brokeFirst',
  'from here on no signed checkpoint covers it': 'brokeUnsigned',
} as const
const isKnown = (text: string): text is keyof typeof reasons => text in reasons

export function useChainReason(): (text: string) => string {
  const say = useUiWords()
  return (text) => (isKnown(text) ? say(reasons[text]) : text)
}
