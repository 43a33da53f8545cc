/** What a person whose passkey does not count yet waits for. Pure. */
import type { PasskeyStanding } from '@countersign/sdk'
import type { Say } from '../app/i18n.ts'

export type WaitsWord = 'waitsadmin' | 'waitspartner' | 'waitsoperator' | 'waitsmore'

const mostNamed = 3

/** Null where no passkey of theirs waits. */
export function waitsText({ counts, waiting, confirmers }: PasskeyStanding, say: Say<WaitsWord>): string | null {
  if (counts || waiting.length === 0 || confirmers === null) return null
  const { by, names } = confirmers
  const shown = names.slice(0, mostNamed).join(', ')
  const more = names.length - mostNamed
  return say(`waits${by}`, { names: more > 0 ? say('waitsmore', { names: shown, count: more }) : shown })
}
