/** What stands in the way of a decision: what the server named, where there are words for it. */
import { type Stopped, stopText } from '../../decision/decide.ts'
import { useCauseWords } from '../error-words.ts'
import { useDecisionWords } from './words.ts'

export function StopText({ stopped }: { readonly stopped: Pick<Stopped, 'obstacle' | 'turn' | 'named'> }) {
  return stopped.named ? <Caused stopped={stopped} named={stopped.named} /> : <Plain stopped={stopped} />
}

const Plain = ({ stopped }: { readonly stopped: Pick<Stopped, 'obstacle' | 'turn'> }) =>
  stopText(stopped, useDecisionWords())

interface CausedProperties {
  readonly stopped: Pick<Stopped, 'obstacle' | 'turn'>
  readonly named: NonNullable<Stopped['named']>
}

function Caused({ stopped, named: { code, cause } }: CausedProperties) {
  const told = useCauseWords()(code, cause)
  return told ? `${told.what} ${told.next}` : <Plain stopped={stopped} />
}
