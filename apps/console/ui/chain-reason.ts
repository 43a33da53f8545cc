/** Why a chain is broken, in the language of the reader. The server and the verifier say it in English. */
import { useUiWords } from './words.ts'

const reasons = {
  'previousHash is not the hash of the entry before': 'brokePrevious',
  'sealedAt is not a time': 'brokeTime',
  'sealedAt is earlier than in the entry before': 'brokeOrder',
  'the hash is not that of the content': 'brokeHash',
  'the content is not in canonical form': 'brokeForm',
  'the content names another index': 'brokeIndex',
  'the content names another id': 'brokeId',
  'the content names another log': 'brokeLog',
  'the head of the chain does not match this entry': 'brokeHead',
  'there is an entry before the first one': 'brokeFirst',
  'from here on no signed checkpoint covers it': 'brokeUnsigned',
} as const
const isKnown = (text: string): text is keyof typeof reasons => text in reasons

export function useChainReason(): (text: string) => string {
  const say = useUiWords()
  return (text) => (isKnown(text) ? say(reasons[text]) : text)
}
